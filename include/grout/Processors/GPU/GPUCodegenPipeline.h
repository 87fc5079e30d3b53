//===- GPUCodegenPipeline.h - Kernels for GPUs ---------------------*- C++
//-*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_PROCESSORS_GPU_GPUCODEGENPIPELINE_H
#define GROUT_PROCESSORS_GPU_GPUCODEGENPIPELINE_H

#include "grout/Pipelines/CodegenPipeline.h"

namespace grout {

/// Generates kernels in NVVM: memory-bound kernels for any GPU, and GEMM
/// kernels if the target has a model of them.
class GPUCodegenPipeline : public CodegenPipeline {
public:
  MemoryBoundOptions
  getMemoryBoundOptions(const GroutPipelineOptions &options) const override;
  void addTilingPasses(mlir::OpPassManager &function,
                       const GroutPipelineOptions &options) const override;
  void addKernelPasses(mlir::OpPassManager &module,
                       const GroutPipelineOptions &options) const override;
};

} // namespace grout

#endif // GROUT_PROCESSORS_GPU_GPUCODEGENPIPELINE_H
