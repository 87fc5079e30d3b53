//===- CollectiveLaunchGenerator.h - Collective ops on GPUs -----*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_CONVERSION_COLLECTIVETONVVM_COLLECTIVELAUNCHGENERATOR_H
#define GROUT_CONVERSION_COLLECTIVETONVVM_COLLECTIVELAUNCHGENERATOR_H

#include "grout/Conversion/Common/LaunchGenerator.h"

namespace grout {

/// Makes kernels of launches of one collective op.
class CollectiveLaunchGenerator : public LaunchGenerator {
public:
  bool handles(launch::TilesOp launch) const override;
  mlir::FailureOr<LaunchCode> generate(launch::TilesOp launch,
                                       LaunchTensors &tensors,
                                       mlir::Operation *module,
                                       const TargetSpec &target) const override;
};

} // namespace grout

#endif // GROUT_CONVERSION_COLLECTIVETONVVM_COLLECTIVELAUNCHGENERATOR_H
