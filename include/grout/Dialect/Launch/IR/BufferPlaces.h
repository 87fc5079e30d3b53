//===- BufferPlaces.h - Where buffers are in the workspace ------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_DIALECT_LAUNCH_IR_BUFFERPLACES_H
#define GROUT_DIALECT_LAUNCH_IR_BUFFERPLACES_H

#include "grout/Dialect/Launch/IR/LaunchOrder.h"

namespace grout::launch {

/// Keeps arithmetic with places far from overflow. The runtime has the same
/// limit.
inline constexpr int64_t kMaxWorkspaceBytes = int64_t(1) << 40;

/// Checks that buffers of `plan` which have a byte in common are used one after
/// the other, as `order` knows. Fails with a diagnostic at one that another
/// destroys.
mlir::LogicalResult verifyBufferPlaces(PlanOp plan, const LaunchOrder &order);

} // namespace grout::launch

#endif // GROUT_DIALECT_LAUNCH_IR_BUFFERPLACES_H
