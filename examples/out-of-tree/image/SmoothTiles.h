//===- SmoothTiles.h - image.smooth as a tile kernel ------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef IMAGE_SMOOTHTILES_H
#define IMAGE_SMOOTHTILES_H

#include <cstdint>

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace image {

/// The elements of a tile, which is the work of one task or block.
inline constexpr int64_t kTileRows = 16;
inline constexpr int64_t kTileColumns = 64;

/// Lets image.smooth implement grout::TileKernelOpInterface.
void registerSmoothTiles(mlir::DialectRegistry &registry);

} // namespace image

#endif // IMAGE_SMOOTHTILES_H
