//===- TileKernelInterface.h - Ops that run as a grid of tiles --*- C++ -*-===//
//
// Part of Grout. TileKernelOpInterface, and the types of its answers.
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
  /// Expressions over the dimensions of `map`. Where one of them is negative,
  /// nothing is touched. If an expression over the tile coordinates alone is
  /// negative, the tile also waits for no tile that writes the tensor.
  // NOLINTNEXTLINE(readability-redundant-member-init): most lists omit it.
  llvm::SmallVector<mlir::AffineExpr> guards = {};
  /// Whether elements outside of the tensor have a value, such as padding. Then
  /// the boxes of all tiles may be outside.
  bool hasPadding = false;
  /// Whether the values of a tensor choose, when the kernel runs, which of
  /// these elements a tile writes. Tiles then write no element twice, and
  /// together those that the op says. Nobody can prove that, and no tile of
  /// another kernel can wait for such a tile, so the kernel is in a chain of
  /// its own.
  bool isChosenAtRunTime = false;
};

/// The work of one tile at full size.
struct TileWork {
  /// Floating-point operations, a fused multiply-add counting as two.
  int64_t flops = 0;
  /// Bytes read from tensors, each step's boxes counted once.
  int64_t bytesRead = 0;
  /// Bytes written to tensors.
  int64_t bytesWritten = 0;
  /// Blocks that split the work, if the target has clusters; a power of two.
  int64_t clusterSize = 1;
};

} // namespace grout

#include "grout/Interfaces/TileKernelInterface.h.inc"

#endif // GROUT_INTERFACES_TILEKERNELINTERFACE_H
