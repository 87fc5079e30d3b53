//===- CPULaunchGenerator.h - Tile kernels as code for CPUs -----*- C++ -*-===//
//
// Part of Grout. See docs/CPUTarget.md.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_CONVERSION_TGEMMTOCPU_CPULAUNCHGENERATOR_H
#define GROUT_CONVERSION_TGEMMTOCPU_CPULAUNCHGENERATOR_H

#include "grout/Conversion/Common/LaunchGenerator.h"

namespace grout::cpu {

/// Makes a tile body of each tile kernel of a launch: products, partial sums,
/// scheduled scop.kernel ops, and ops of linalg that have a tile shape.
class CPULaunchGenerator : public LaunchGenerator {
public:
  bool handles(launch::TilesOp launch) const override;
  mlir::FailureOr<LaunchCode> generate(launch::TilesOp launch,
                                       LaunchTensors &tensors,
                                       mlir::Operation *module,
                                       const TargetSpec &target) const override;
};

} // namespace grout::cpu

#endif // GROUT_CONVERSION_TGEMMTOCPU_CPULAUNCHGENERATOR_H
