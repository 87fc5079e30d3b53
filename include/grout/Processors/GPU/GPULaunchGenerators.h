//===- GPULaunchGenerators.h - Kernels for GPUs --------------------*- C++
//-*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_PROCESSORS_GPU_GPULAUNCHGENERATORS_H
#define GROUT_PROCESSORS_GPU_GPULAUNCHGENERATORS_H

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

#endif // GROUT_PROCESSORS_GPU_GPULAUNCHGENERATORS_H
