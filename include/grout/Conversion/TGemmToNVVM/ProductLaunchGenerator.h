//===- ProductLaunchGenerator.h - Products for Hopper -----------*- C++ -*-===//
//
// Part of Grout. See docs/HopperKernels.md.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_CONVERSION_TGEMMTONVVM_PRODUCTLAUNCHGENERATOR_H
#define GROUT_CONVERSION_TGEMMTONVVM_PRODUCTLAUNCHGENERATOR_H

#include "grout/Conversion/Common/LaunchGenerator.h"
#include "grout/Conversion/TGemmToNVVM/FactorLoader.h"

namespace grout::hopper {

/// Makes a kernel for Hopper GPUs of products and of tgemm.partial_sums ops,
/// one or more in a launch.
class ProductLaunchGenerator : public LaunchGenerator {
public:
  /// One for tgemm.matmul and tgemm.conv2d.
  ProductLaunchGenerator();

  /// Adds `loader`, for more kinds of products. They may be in launches with
  /// others.
  void add(std::unique_ptr<FactorLoader> loader);

  bool handles(launch::TilesOp launch) const override;
  mlir::FailureOr<LaunchCode> generate(launch::TilesOp launch,
                                       LaunchTensors &tensors,
                                       mlir::Operation *module,
                                       const TargetSpec &target) const override;

private:
  const FactorLoader *find(mlir::Operation *product) const;

  std::vector<std::unique_ptr<FactorLoader>> loaders;
};

} // namespace grout::hopper

#endif // GROUT_CONVERSION_TGEMMTONVVM_PRODUCTLAUNCHGENERATOR_H
