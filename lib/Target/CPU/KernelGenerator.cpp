//===- KernelGenerator.cpp - Kernels for CPUs ----------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Target/CPU/KernelGenerator.h"

#include "grout/Conversion/Passes.h"
#include "grout/Conversion/TGemmToCPU/Pipelines.h"
#include "grout/Dialect/Scop/Transforms/Passes.h"
#include "grout/Transforms/Passes.h"

using namespace mlir;
using namespace grout;
using namespace grout::cpu;

/// Terms from which on a sum of f32 is made in f64. Fewer cost at most a
/// relative error of 64 * 2^-24 = 4e-6.
static constexpr int64_t kLongSum = 65;

void CPUKernelGenerator::addMemoryBoundPasses(
    OpPassManager &function, const GroutPipelineOptions &options) const {
  if (!options.strictTypes) {
    LinalgWidenAccumulatorsOptions sums;
    sums.longSum = kLongSum;
    function.addPass(createLinalgWidenAccumulators(sums));
  }
  function.addPass(scop::createScopCopyResults());
  function.addPass(scop::createScopCopyViews());
  // Ops of linalg that have a tile shape are tile kernels.
  ConvertLinalgToScopOptions statements;
  statements.keepTiled = true;
  function.addPass(createConvertLinalgToScop(statements));

  // What is easier to see before there are schedules.
  if (restructuresKernels(options)) {
    function.addPass(scop::createScopInlineProducers());
    function.addPass(scop::createScopSplitLoops());
    function.addPass(scop::createScopCollapseLoops());
    function.addPass(scop::createScopFormLaunches());
    // What an earlier launch has computed is as good as an input now.
    function.addPass(scop::createScopInlineProducers());
  }
  // Trees are about what the threads of a GPU share out.
  scop::ScopScheduleOptions schedule;
  schedule.tree = "none";
  schedule.solver = options.scopSolver;
  schedule.trace = options.scopTrace;
  function.addPass(scop::createScopSchedule(schedule));
  function.addPass(scop::createScopDistribute());
  function.addPass(scop::createScopVerifySchedule());
}

void CPUKernelGenerator::addTilingPasses(
    OpPassManager &function, const GroutPipelineOptions &options) const {
  ScopAssignCPUTilingOptions points;
  points.processors = lookupTarget(options.target)->getSpec().processors;
  function.addPass(createScopAssignCPUTiling(points));
}

void CPUKernelGenerator::addKernelPasses(
    OpPassManager &module, const GroutPipelineOptions &options) const {
  buildCPUKernelPipeline(module);
}

std::string CPUKernelGenerator::findDebugSyncProblem(
    const Target &target, const GroutPipelineOptions &options) const {
  return "needs a GPU as target: on the CPU, grout-run watches waits by "
         "itself (--timeout-seconds)";
}
