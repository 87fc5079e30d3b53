//===- GPUCodegenPipeline.cpp - Kernels for GPUs --------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Processors/GPU/GPUCodegenPipeline.h"

#include "grout/Codegen/PTX.h"
#include "grout/Conversion/Passes.h"
#include "grout/Dialect/Scop/Transforms/Passes.h"

using namespace mlir;
using namespace grout;

MemoryBoundOptions GPUCodegenPipeline::getMemoryBoundOptions(
    const GroutPipelineOptions &options) const {
  MemoryBoundOptions kernels;
  // Several threads split long sums.
  kernels.splitsReductions = true;
  kernels.tree = options.scopTree;
  kernels.sharesLaunches = true;
  return kernels;
}

void GPUCodegenPipeline::addTilingPasses(
    OpPassManager &function, const GroutPipelineOptions &options) const {
  scop::ScopAssignGPUTilingOptions blocks;
  blocks.mode = options.mode;
  function.addPass(scop::createScopAssignGPUTiling(blocks));
}

void GPUCodegenPipeline::addKernelPasses(
    OpPassManager &module, const GroutPipelineOptions &options) const {
  ConvertTSyncToNVVMOptions waits;
  waits.debugSyncMilliseconds = options.debugSyncMilliseconds;
  module.addPass(createConvertTSyncToNVVM(waits));
  if (options.trace)
    module.addNestedPass<gpu::GPUModuleOp>(createGPUTraceBlocks());
  module.addPass(createLaunchMergeKernels());
  buildNVVMKernelPipeline(module);
}
