//===- ProductLaunchGenerator.h - GEMMs for Hopper --------------*- C++ -*-===//
//
// Part of Grout. See docs/HopperKernels.md.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_HOPPER_GEMM_PRODUCTLAUNCHGENERATOR_H
#define GROUT_HOPPER_GEMM_PRODUCTLAUNCHGENERATOR_H

#include "grout/Conversion/Common/LaunchGenerator.h"
#include "grout/Hopper/Gemm/OperandLoader.h"

namespace grout::hopper {

/// Makes a kernel for Hopper GPUs of one or more GEMM ops (ProductOpInterface)
/// and tgemm.partial_sums ops of a launch.
class ProductLaunchGenerator : public LaunchGenerator {
public:
  /// Creates a generator for tgemm.matmul and tgemm.conv2d.
  ProductLaunchGenerator();

  /// Adds `loader` for more kinds of GEMM ops. Such ops may share a launch with
  /// ops of other loaders.
  void add(std::unique_ptr<OperandLoader> loader);

  /// Adds `mma`. It takes precedence over the instructions that are there, for
  /// operands that several of them multiply.
  void add(std::unique_ptr<Mma> mma);

  bool handles(launch::TilesOp launch) const override;
  mlir::FailureOr<LaunchCode> generate(launch::TilesOp launch,
                                       LaunchTensors &tensors,
                                       mlir::Operation *module,
                                       const TargetSpec &target) const override;

private:
  const OperandLoader *find(mlir::Operation *product) const;
  const Mma *find(mlir::FloatType type) const;

  std::vector<std::unique_ptr<OperandLoader>> loaders;
  std::vector<std::unique_ptr<Mma>> mmas;
};

} // namespace grout::hopper

#endif // GROUT_HOPPER_GEMM_PRODUCTLAUNCHGENERATOR_H
