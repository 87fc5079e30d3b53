//===- TileKernelInterface.h - Ops that run as a grid of tiles --*- C++ -*-===//
//
// Part of Grout. TileKernelOpInterface and the values that it speaks in.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_INTERFACES_TILEKERNELINTERFACE_H
#define GROUT_INTERFACES_TILEKERNELINTERFACE_H

#include "mlir/IR/AffineMap.h"
#include "mlir/IR/OpDefinition.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace grout {

/// The elements of one tensor that a tile touches: the image of
/// (tile..., step, local...) under `map`, for all 0 <= local < localSizes,
/// clipped to the tensor. A result's map ignores the step.
struct TileAccess {
  /// (tile coordinates..., step, local coordinates...) -> element coordinates.
  mlir::AffineMap map;
  /// Extent of each local coordinate, in elements.
  llvm::SmallVector<int64_t> localSizes;
  /// Over the dimensions of `map`: where one of these is negative, nothing is
  /// touched. A tile for which one over the tile coordinates alone is negative
  /// waits for nobody who makes the tensor.
  // Most leave it out, which takes an initializer.
  // NOLINTNEXTLINE(readability-redundant-member-init)
  llvm::SmallVector<mlir::AffineExpr> guards = {};
  /// Whether what is outside of the tensor has a value, as padding does: then
  /// the boxes of all tiles may be there.
  bool hasPadding = false;
};

/// The work of one tile at full size.
struct TileWork {
  /// Floating-point operations, a fused multiply-add counting as two.
  int64_t flops = 0;
  /// Bytes read from tensors, each step's boxes counted once.
  int64_t bytesRead = 0;
  /// Bytes written to tensors.
  int64_t bytesWritten = 0;
  /// Blocks that share the work, where the target has clusters of them: a power
  /// of two.
  int64_t clusterSize = 1;
};

} // namespace grout

#include "grout/Interfaces/TileKernelInterface.h.inc"

#endif // GROUT_INTERFACES_TILEKERNELINTERFACE_H
