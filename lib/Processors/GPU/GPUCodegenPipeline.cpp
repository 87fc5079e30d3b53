//===- GPUCodegenPipeline.cpp - Kernels for GPUs
//----------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Processors/GPU/GPUCodegenPipeline.h"

#include "grout/Codegen/PTX.h"
#include "grout/Conversion/Passes.h"
#include "grout/Dialect/Scop/Transforms/Passes.h"
#include "grout/Dialect/TGemm/Transforms/ProductModel.h"

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
  buildNVVMKernelPipeline(module);
}

std::string GPUCodegenPipeline::findDebugSyncProblem(
    const Target &target, const GroutPipelineOptions &options) const {
  if (!target.getInterface<tgemm::ProductModel>())
    return "watches waits for semaphores, and kernels for " +
           target.getName().str() + " have none";
  // Mode `auto` may choose a mode with waits for tiles, but is not such a mode
  // itself.
  std::optional<tsync::Mode> mode = tsync::getMode(options.mode);
  auto isByTile = [](tsync::Mode mode) {
    return waitsForTiles(getLaunchWait(mode));
  };
  if (mode && !isByTile(*mode) && llvm::none_of(options.edgeModes, isByTile))
    return "watches waits for semaphores, and mode " +
           stringifyMode(*mode).str() + " has none";
  return "";
}
