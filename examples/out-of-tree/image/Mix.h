//===- Mix.h - image.mix as a tile kernel -----------------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef IMAGE_MIX_H
#define IMAGE_MIX_H

#include "grout/Conversion/Common/LaunchGenerator.h"

namespace image {

/// The rows and columns of a tile, and the channels of a step. A step of an
/// operand is 64 rows of 128 bytes.
inline constexpr int64_t kMixTile = 64;

/// Lets image.mix implement grout::TileKernelOpInterface.
void registerMixTiles(mlir::DialectRegistry &registry);

/// Makes the Hopper kernel of a launch of one image.mix: a block for each tile.
class MixKernel : public grout::LaunchGenerator {
public:
  bool handles(grout::launch::TilesOp launch) const override;
  mlir::FailureOr<grout::LaunchCode>
  generate(grout::launch::TilesOp launch, grout::LaunchTensors &tensors,
           mlir::Operation *module,
           const grout::TargetSpec &target) const override;
};

} // namespace image

#endif // IMAGE_MIX_H
