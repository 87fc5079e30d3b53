//===- GPU.cpp - NVIDIA GPUs of any architecture --------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Processors/Architectures/GPU.h"

#include "grout/Processors/GPU/GPUCodegenPipeline.h"
#include "grout/Processors/GPU/GPULaunchGenerators.h"
#include "grout/Target/GPU.h"

using namespace grout;

/// Returns constants that were fitted to times on an H200. Nothing was measured
/// on the other GPUs.
static MemoryBoundConstants getMemoryBound() {
  MemoryBoundConstants constants;
  constants.rowInstructions = 75;
  constants.iterationInstructions = 6;
  constants.accessInstructions = 3;
  constants.straddlingAccessInstructions = 5;
  constants.functionInstructions = 4;
  constants.warpAccessBytes = 32;
  constants.instructionBytes = 5;
  constants.stagingCost = 0.25;
  constants.maskedCostLimit = 0.95;
  constants.splitRowCost = 1.1;
  // Blocks of 128 to 256 threads that copy 16 bytes each, and then end, are as
  // fast as anything that keeps more in flight.
  constants.blockThreads = 256;
  constants.minIterations = 8;
  // 8 for each thread of a full block.
  constants.maxSingleBlockInstances = 8192;
  constants.maxMatvecBytes = int64_t(16) << 20;
  constants.maxKeptValues = 32;
  constants.freeKeptValues = 8;
  // On an H100, two layer norms of 8 rows take 0.8 us less in 8 blocks each
  // than in 4.
  constants.longRowThreads = 128;
  constants.maxThreadsWithInnerLoops = 128;
  constants.tileBytes = int64_t(32) * 1024;
  constants.residentThreads = 1024;
  return constants;
}

TargetSpec grout::getGPUSpec() {
  TargetSpec spec = {};
  spec.code = CodeFormat::PTX;
  spec.warpSize = kWarpSize;
  spec.processorThreads = 2048;
  spec.maxBandwidthShare = 2;
  spec.cacheParts = 2;
  spec.keptShare = 0.5;
  spec.maxPathTraffic = 1;
  spec.linkRate = 2.4e11;
  spec.linkTime = 1.4e-6;
  spec.launchTime = 2.5e-6;
  spec.tileTime = 1e-6;
  spec.referenceWidth = 32;
  spec.memoryBound = getMemoryBound();
  return spec;
}

std::unique_ptr<Target> grout::createGPUTarget(const TargetSpec &spec) {
  auto target = std::make_unique<Target>(spec);
  target->setInterface<LaunchGenerators>(
      std::make_unique<GPULaunchGenerators>());
  target->setInterface<CodegenPipeline>(std::make_unique<GPUCodegenPipeline>());
  return target;
}
