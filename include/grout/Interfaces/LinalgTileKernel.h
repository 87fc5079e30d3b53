//===- LinalgTileKernel.h - linalg ops as tile kernels ----------*- C++ -*-===//
//
// Part of Grout. TileKernelOpInterface as an external model of linalg ops. It
// shows that ops of other dialects can take part in tile synchronisation.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_INTERFACES_LINALGTILEKERNEL_H
#define GROUT_INTERFACES_LINALGTILEKERNEL_H

#include "llvm/ADT/StringRef.h"

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace grout {

/// The discardable attribute that gives a linalg op its tile shape: a
/// `DenseI64ArrayAttr` with one size per loop, in elements. Parallel loops
/// become the dimensions of the tile grid, outermost first. At most one
/// reduction loop may be cut, and its tiles become the steps.
inline constexpr llvm::StringLiteral kLinalgTileSizesAttrName =
    "grout.tile_sizes";

/// Attaches TileKernelOpInterface to `linalg.matmul`, `linalg.batch_matmul`,
/// `linalg.generic`, `linalg.transpose` and `linalg.conv_2d_nhwc_hwcf`.
void registerLinalgTileKernelModels(mlir::DialectRegistry &registry);

} // namespace grout

#endif // GROUT_INTERFACES_LINALGTILEKERNEL_H
