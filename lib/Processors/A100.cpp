//===- A100.cpp - NVIDIA A100 --------------------------------------------===//
//
// Part of Grout. The rates are the published ones of the variant with 80 GB.
//
//===----------------------------------------------------------------------===//

#include "Processors.h"
#include "grout/Processors/Architectures/GPU.h"

using namespace grout;

std::unique_ptr<Target> processors::createA100() {
  TargetSpec spec = getGPUSpec();
  spec.name = "a100";
  spec.architecture = "sm_80";
  // The first version that has sm_80.
  spec.features = "+ptx70";
  spec.processors = 108;
  spec.sharedMemory = int64_t(163) * 1024;
  spec.matrixRate = 3.12e14;
  spec.memoryRate = 2.039e12;
  spec.peakMemoryRate = 2.039e12;
  spec.cacheRate = 7.2e12;
  spec.cacheBytes = int64_t(40) << 20;
  spec.clusters[0] = spec.processors;
  return createGPUTarget(spec);
}
