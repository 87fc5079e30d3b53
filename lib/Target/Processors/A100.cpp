//===- A100.cpp - NVIDIA A100 --------------------------------------------===//
//
// Part of Grout. The rates are the published ones of the variant with
// 80 GB. It has no kernels for matrix products. What memory-bound kernels are
// chosen by was measured on an H200 alone.
//
//===----------------------------------------------------------------------===//

#include "Processors.h"
#include "grout/Target/GPU.h"
#include "grout/Target/GPU/CodegenPipeline.h"
#include "grout/Target/GPU/LaunchGenerators.h"

using namespace grout;

static TargetSpec getA100Spec() {
  TargetSpec spec;
  spec.name = "a100";
  spec.code = CodeFormat::PTX;
  spec.architecture = "sm_80";
  // The first that has sm_80.
  spec.features = "+ptx70";
  spec.warpSize = kWarpSize;
  spec.processors = 108;
  spec.processorThreads = 2048;
  spec.sharedMemory = int64_t(163) * 1024;
  spec.matrixRate = 3.12e14;
  spec.memoryRate = 2.039e12;
  spec.maxBandwidthShare = 2;
  spec.peakMemoryRate = 2.039e12;
  spec.cacheRate = 7.2e12;
  spec.cacheBytes = int64_t(40) << 20;
  spec.cacheParts = 2;
  spec.keptShare = 0.5;
  spec.clusters[0] = 108;
  spec.clusters[1] = 0;
  spec.clusters[2] = 0;
  spec.clusters[3] = 0;
  spec.pathProcessors = 0;
  spec.maxPathTraffic = 1;
  spec.hasProgrammaticLaunch = false;
  spec.launchTime = 2.5e-6;
  spec.earlyLaunchGain = 0;
  spec.tileTime = 1e-6;
  spec.prefetchThreshold = 0;
  spec.hasLinalgKernels = false;
  spec.referenceWidth = 32;
  spec.memoryBound = getMemoryBoundOfH200();
  return spec;
}

std::unique_ptr<Target> grout::createA100() {
  auto target = std::make_unique<Target>(getA100Spec());
  target->setInterface<LaunchGenerators>(
      std::make_unique<GPULaunchGenerators>());
  target->setInterface<CodegenPipeline>(std::make_unique<GPUCodegenPipeline>());
  return target;
}
