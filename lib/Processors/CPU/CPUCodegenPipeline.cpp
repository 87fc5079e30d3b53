//===- CPUCodegenPipeline.cpp - Kernels for CPUs
//----------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Processors/CPU/CPUCodegenPipeline.h"

#include "grout/Codegen/Native.h"
#include "grout/Conversion/Passes.h"
#include "grout/Dialect/Scop/Transforms/Passes.h"

using namespace mlir;
using namespace grout;
using namespace grout::cpu;

/// A sum of this many f32 terms or more is computed in f64. A shorter sum has a
/// relative error of at most 64 * 2^-24 = 4e-6.
static constexpr int64_t kLongSum = 65;

MemoryBoundOptions CPUCodegenPipeline::getMemoryBoundOptions(
    const GroutPipelineOptions &options) const {
  MemoryBoundOptions kernels;
  kernels.longSum = kLongSum;
  // linalg ops with a tile shape are tile kernels.
  kernels.keepsTiledOps = true;
  return kernels;
}

void CPUCodegenPipeline::addTilingPasses(
    OpPassManager &function, const GroutPipelineOptions &options) const {
  scop::ScopAssignCPUTilingOptions points;
  points.processors = lookupTarget(options.target)->getSpec().processors;
  function.addPass(scop::createScopAssignCPUTiling(points));
}

void CPUCodegenPipeline::addKernelPasses(
    OpPassManager &module, const GroutPipelineOptions &options) const {
  buildCPUKernelPipeline(module);
}

std::string CPUCodegenPipeline::findDebugSyncProblem() const {
  return "needs a GPU as target: on the CPU, grout-run watches waits by "
         "itself (--timeout-seconds)";
}
