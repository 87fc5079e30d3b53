//===- CPUCodegenPipeline.h - Kernels for CPUs ---------------------*- C++
//-*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_PROCESSORS_CPU_CPUCODEGENPIPELINE_H
#define GROUT_PROCESSORS_CPU_CPUCODEGENPIPELINE_H

#include "grout/Pipelines/CodegenPipeline.h"

namespace grout::cpu {

/// Generates tile bodies in LLVM, which the runtime's worker threads call.
class CPUCodegenPipeline : public CodegenPipeline {
public:
  MemoryBoundOptions
  getMemoryBoundOptions(const GroutPipelineOptions &options) const override;
  void addTilingPasses(mlir::OpPassManager &function,
                       const GroutPipelineOptions &options) const override;
  void addKernelPasses(mlir::OpPassManager &module,
                       const GroutPipelineOptions &options) const override;
  std::string findDebugSyncProblem() const override;
};

} // namespace grout::cpu

#endif // GROUT_PROCESSORS_CPU_CPUCODEGENPIPELINE_H
