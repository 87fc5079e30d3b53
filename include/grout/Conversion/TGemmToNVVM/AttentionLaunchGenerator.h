//===- AttentionLaunchGenerator.h - Attention for Hopper --------*- C++ -*-===//
//
// Part of Grout. See docs/HopperAttention.md.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_CONVERSION_TGEMMTONVVM_ATTENTIONLAUNCHGENERATOR_H
#define GROUT_CONVERSION_TGEMMTONVVM_ATTENTIONLAUNCHGENERATOR_H

#include "grout/Conversion/Common/LaunchGenerator.h"

namespace grout::hopper {

/// Makes a kernel for Hopper GPUs of one tgemm.attention, which has a launch of
/// its own.
class AttentionLaunchGenerator : public LaunchGenerator {
public:
  bool handles(launch::TilesOp launch) const override;
  mlir::FailureOr<LaunchCode> generate(launch::TilesOp launch,
                                       LaunchTensors &tensors,
                                       mlir::Operation *module,
                                       const TargetSpec &target) const override;
};

} // namespace grout::hopper

#endif // GROUT_CONVERSION_TGEMMTONVVM_ATTENTIONLAUNCHGENERATOR_H
