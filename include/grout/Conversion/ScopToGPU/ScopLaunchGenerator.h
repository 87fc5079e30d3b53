//===- ScopLaunchGenerator.h - Scop kernels for GPUs ------------*- C++ -*-===//
//
// Part of Grout. See docs/ScopKernels.md.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_CONVERSION_SCOPTOGPU_SCOPLAUNCHGENERATOR_H
#define GROUT_CONVERSION_SCOPTOGPU_SCOPLAUNCHGENERATOR_H

#include "grout/Conversion/Common/LaunchGenerator.h"

namespace grout::scop {

/// Makes a GPU kernel of one scheduled scop.kernel on tensors, or of several
/// that do not need each other's results.
class ScopLaunchGenerator : public LaunchGenerator {
public:
  bool handles(launch::TilesOp launch) const override;
  mlir::FailureOr<LaunchCode> generate(launch::TilesOp launch,
                                       LaunchTensors &tensors,
                                       mlir::Operation *module,
                                       const TargetSpec &target) const override;
};

} // namespace grout::scop

#endif // GROUT_CONVERSION_SCOPTOGPU_SCOPLAUNCHGENERATOR_H
