//===- CPU.cpp - This machine's kind of processor ------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "Processors.h"
#include "grout/Processors/CPU/CPUAttentionModel.h"
#include "grout/Processors/CPU/CPUCodegenPipeline.h"
#include "grout/Processors/CPU/CPULaunchGenerators.h"
#include "grout/Processors/CPU/CPUProductModel.h"

using namespace grout;

static TargetSpec getCPUSpec() {
  TargetSpec spec;
  spec.name = "cpu";
  spec.code = CodeFormat::Native;
  spec.architecture = "x86-64-v3";
  spec.features = "";
  spec.warpSize = 0;
  spec.processors = 8;
  spec.processorThreads = 1;
  spec.sharedMemory = 0;
  spec.matrixRate = 5e10;
  spec.memoryRate = 2e10;
  spec.maxBandwidthShare = 2;
  spec.peakMemoryRate = 0;
  spec.cacheRate = 1e11;
  spec.cacheBytes = int64_t(32) << 20;
  spec.cacheParts = 1;
  spec.keptShare = 0.5;
  spec.clusters[0] = 8;
  spec.clusters[1] = 0;
  spec.clusters[2] = 0;
  spec.clusters[3] = 0;
  spec.pathProcessors = 0;
  spec.maxPathTraffic = 1;
  spec.hasProgrammaticLaunch = false;
  spec.hasRankSums = false;
  spec.linkRate = spec.linkTime = 0;
  spec.launchTime = 0;
  spec.earlyLaunchGain = 0;
  spec.tileTime = 1e-6;
  spec.prefetchThreshold = 0;
  spec.hasLinalgKernels = true;
  spec.referenceWidth = 64;
  return spec;
}

std::unique_ptr<Target> processors::createCPU() {
  auto target = std::make_unique<Target>(getCPUSpec());
  target->setInterface<tgemm::ProductModel>(
      std::make_unique<cpu::CPUProductModel>(target->getSpec()));
  target->setInterface<tgemm::AttentionModel>(
      std::make_unique<cpu::CPUAttentionModel>());
  target->setInterface<LaunchGenerators>(
      std::make_unique<cpu::CPULaunchGenerators>());
  target->setInterface<CodegenPipeline>(
      std::make_unique<cpu::CPUCodegenPipeline>());
  return target;
}
