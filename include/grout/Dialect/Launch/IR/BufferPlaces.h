//===- BufferPlaces.h - Where buffers are in memory ------------*- C++ -*-===//
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

/// Returns the bytes of the elements of `memory`, a dense static memref.
int64_t getBytes(mlir::Value memory);

/// Checks that buffers of `plan` that share a byte, in the workspace or in an
/// output, are used one after the other by the edges in `order`. An output must
/// come after the buffers in its bytes. Fails with a diagnostic at a buffer
/// that destroys another.
mlir::LogicalResult verifyBufferPlaces(PlanOp plan, const LaunchOrder &order);

} // namespace grout::launch

#endif // GROUT_DIALECT_LAUNCH_IR_BUFFERPLACES_H
