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

/// The bytes of the elements of `memory`, a dense static memref.
int64_t getBytes(mlir::Value memory);

/// Checks that buffers of `plan` which have a byte in common are used one after
/// the other, as `order` knows, in the workspace and in outputs, which come
/// behind the buffers in them. Fails with a diagnostic at one that destroys
/// another.
mlir::LogicalResult verifyBufferPlaces(PlanOp plan, const LaunchOrder &order);

} // namespace grout::launch

#endif // GROUT_DIALECT_LAUNCH_IR_BUFFERPLACES_H
