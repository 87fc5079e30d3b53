//===- KernelGenerator.cpp - Kernels for CPUs ----------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Target/CPU/KernelGenerator.h"

#include "grout/Conversion/Passes.h"
#include "grout/Dialect/Scop/Transforms/Passes.h"
#include "grout/Target/Native.h"

using namespace mlir;
using namespace grout;
using namespace grout::cpu;

/// Terms from which on a sum of f32 is made in f64. Fewer cost at most a
/// relative error of 64 * 2^-24 = 4e-6.
static constexpr int64_t kLongSum = 65;

MemoryBoundOptions CPUKernelGenerator::getMemoryBoundOptions(
    const GroutPipelineOptions &options) const {
  MemoryBoundOptions kernels;
  kernels.longSum = kLongSum;
  // Ops of linalg that have a tile shape are tile kernels.
  kernels.keepsTiledOps = true;
  return kernels;
}

void CPUKernelGenerator::addTilingPasses(
    OpPassManager &function, const GroutPipelineOptions &options) const {
  scop::ScopAssignCPUTilingOptions points;
  points.processors = lookupTarget(options.target)->getSpec().processors;
  function.addPass(scop::createScopAssignCPUTiling(points));
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
