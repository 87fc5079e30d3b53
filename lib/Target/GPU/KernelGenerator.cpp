//===- KernelGenerator.cpp - Kernels for GPUs ----------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Target/GPU/KernelGenerator.h"

#include "grout/Conversion/Passes.h"
#include "grout/Dialect/Scop/Transforms/Passes.h"
#include "grout/Dialect/TGemm/Transforms/ProductModel.h"
#include "grout/Target/PTX.h"
#include "grout/Transforms/Passes.h"

using namespace mlir;
using namespace grout;

void GPUKernelGenerator::addMemoryBoundPasses(
    OpPassManager &function, const GroutPipelineOptions &options) const {
  // The threads of a GPU share out long sums.
  if (!options.strictTypes)
    function.addPass(createLinalgWidenAccumulators());
  function.addPass(scop::createScopCopyResults());
  function.addPass(scop::createScopCopyViews());
  function.addPass(createConvertLinalgToScop());

  // What is easier to see before there are schedules: values that are computed
  // where they are needed, loops that are one, sums in two stages, launches.
  if (restructuresKernels(options)) {
    function.addPass(scop::createScopInlineProducers());
    function.addPass(scop::createScopSplitLoops());
    function.addPass(scop::createScopCollapseLoops());
    function.addPass(scop::createScopSplitReductions());
    function.addPass(scop::createScopFormLaunches());
    // What an earlier launch has computed is as good as an input now.
    function.addPass(scop::createScopInlineProducers());
  }
  scop::ScopScheduleOptions schedule;
  schedule.tree = options.scopTree;
  schedule.solver = options.scopSolver;
  schedule.trace = options.scopTrace;
  function.addPass(scop::createScopSchedule(schedule));
  function.addPass(scop::createScopDistribute());
  function.addPass(scop::createScopVerifySchedule());
  // What need not wait for each other shares a launch.
  function.addPass(createScopMergeLaunches());
}

void GPUKernelGenerator::addTilingPasses(
    OpPassManager &function, const GroutPipelineOptions &options) const {
  ScopAssignGPUTilingOptions blocks;
  blocks.mode = options.mode;
  function.addPass(createScopAssignGPUTiling(blocks));
}

void GPUKernelGenerator::addKernelPasses(
    OpPassManager &module, const GroutPipelineOptions &options) const {
  ConvertTSyncToNVVMOptions waits;
  waits.debugSyncMilliseconds = options.debugSyncMilliseconds;
  module.addPass(createConvertTSyncToNVVM(waits));
  buildNVVMKernelPipeline(module);
}

std::string GPUKernelGenerator::findDebugSyncProblem(
    const Target &target, const GroutPipelineOptions &options) const {
  if (!target.getInterface<tgemm::ProductModel>())
    return "watches waits for semaphores, and kernels for " +
           target.getName().str() + " have none";
  // Mode auto may choose one of these, and still is none.
  std::optional<tsync::Mode> mode = tsync::getMode(options.mode);
  if (mode && !waitsForTiles(getLaunchWait(*mode)) &&
      !llvm::is_contained(options.edgeModes,
                          stringifyMode(tsync::Mode::overlap)))
    return "watches waits for semaphores, and mode " +
           stringifyMode(*mode).str() + " has none";
  return "";
}
