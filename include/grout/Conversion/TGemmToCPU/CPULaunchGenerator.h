//===- CPULaunchGenerator.h - Launches of tile bodies for CPUs --*- C++ -*-===//
//
// Part of Grout. See docs/CPUTarget.md.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_CONVERSION_TGEMMTOCPU_CPULAUNCHGENERATOR_H
#define GROUT_CONVERSION_TGEMMTOCPU_CPULAUNCHGENERATOR_H

#include "grout/Conversion/Common/LaunchGenerator.h"
#include "grout/Conversion/TGemmToCPU/TileBodyGenerator.h"

namespace grout::cpu {

/// Makes tile bodies of the tile kernels of a launch.
class CPULaunchGenerator : public LaunchGenerator {
public:
  /// Creates a generator for the tile kernels of Grout.
  CPULaunchGenerator();

  /// Adds `generator` for more kinds of tile kernels. Such kernels may share a
  /// launch with kernels of other generators.
  void add(std::unique_ptr<TileBodyGenerator> generator);

  bool handles(launch::TilesOp launch) const override;
  mlir::FailureOr<LaunchCode> generate(launch::TilesOp launch,
                                       LaunchTensors &tensors,
                                       mlir::Operation *module,
                                       const TargetSpec &target) const override;

private:
  const TileBodyGenerator *find(mlir::Operation *kernel) const;

  std::vector<std::unique_ptr<TileBodyGenerator>> generators;
};

} // namespace grout::cpu

#endif // GROUT_CONVERSION_TGEMMTOCPU_CPULAUNCHGENERATOR_H
