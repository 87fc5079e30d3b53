//===- WrittenBuffers.h - Launches read written buffers ---------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_DIALECT_LAUNCH_IR_WRITTENBUFFERS_H
#define GROUT_LIB_DIALECT_LAUNCH_IR_WRITTENBUFFERS_H

#include "grout/Dialect/Launch/IR/Launch.h"

namespace grout::launch {

/// Checks that launches write every output of `plan`, and that earlier launches
/// write every buffer that a launch reads, unless it is an input or a constant.
/// A buffer of which only parts are written counts as written if the parts have
/// as many elements as the buffer. This is exact if the parts do not overlap.
/// Fails with a diagnostic at the launch that reads, or at the plan.
mlir::LogicalResult verifyWrittenBuffers(PlanOp plan);

} // namespace grout::launch

#endif // GROUT_LIB_DIALECT_LAUNCH_IR_WRITTENBUFFERS_H
