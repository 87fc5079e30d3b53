//===- SmoothBody.h - Tiles of image.smooth on CPUs -------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef IMAGE_SMOOTHBODY_H
#define IMAGE_SMOOTHBODY_H

#include "grout/Conversion/TGemmToCPU/TileBodyGenerator.h"

namespace image {

/// Makes the function that computes a tile of image.smooth.
class SmoothBody : public grout::cpu::TileBodyGenerator {
public:
  bool handles(mlir::Operation *kernel) const override;
  mlir::LogicalResult emit(grout::TileKernelOpInterface kernel,
                           grout::LaunchTensors &tensors,
                           const grout::SemaphoreLayout &layout,
                           grout::CPUTileBody &body) const override;
};

} // namespace image

#endif // IMAGE_SMOOTHBODY_H
