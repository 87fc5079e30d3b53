//===- LaunchGenerators.h - Kernels for GPUs --------------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_TARGET_GPU_LAUNCHGENERATORS_H
#define GROUT_TARGET_GPU_LAUNCHGENERATORS_H

#include "grout/Conversion/Common/LaunchGenerator.h"

namespace grout {

/// The generators that all GPUs have: for kernels of scop.kernel ops, in a
/// gpu.module. Targets with more kinds of kernels add generators.
class GPULaunchGenerators : public LaunchGenerators {
public:
  GPULaunchGenerators();

  mlir::Operation *createModule(mlir::OpBuilder &builder, mlir::Location loc,
                                llvm::StringRef name,
                                const TargetSpec &target) const override;
};

} // namespace grout

#endif // GROUT_TARGET_GPU_LAUNCHGENERATORS_H
