//===- ProductLaunchGenerator.h - Products for Hopper -----------*- C++ -*-===//
//
// Part of Grout. See docs/HopperKernels.md.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_CONVERSION_TGEMMTONVVM_PRODUCTLAUNCHGENERATOR_H
#define GROUT_CONVERSION_TGEMMTONVVM_PRODUCTLAUNCHGENERATOR_H

#include "grout/Conversion/Common/LaunchGenerator.h"

namespace grout::hopper {

/// Makes a kernel for Hopper GPUs of tgemm.matmul and tgemm.partial_sums ops,
/// one or more in a launch.
class ProductLaunchGenerator : public LaunchGenerator {
public:
  bool handles(launch::TilesOp launch) const override;
  mlir::FailureOr<LaunchCode> generate(launch::TilesOp launch,
                                       LaunchTensors &tensors,
                                       mlir::Operation *module,
                                       const TargetSpec &target) const override;
};

} // namespace grout::hopper

#endif // GROUT_CONVERSION_TGEMMTONVVM_PRODUCTLAUNCHGENERATOR_H
