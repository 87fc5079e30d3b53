//===- SmoothKernel.h - image.smooth on GPUs --------------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef IMAGE_SMOOTHKERNEL_H
#define IMAGE_SMOOTHKERNEL_H

#include "grout/Conversion/Common/LaunchGenerator.h"

namespace image {

/// Makes the kernel of a launch of one image.smooth: a block for each tile.
class SmoothKernel : public grout::LaunchGenerator {
public:
  bool handles(grout::launch::TilesOp launch) const override;
  mlir::FailureOr<grout::LaunchCode>
  generate(grout::launch::TilesOp launch, grout::LaunchTensors &tensors,
           mlir::Operation *module,
           const grout::TargetSpec &target) const override;
};

} // namespace image

#endif // IMAGE_SMOOTHKERNEL_H
