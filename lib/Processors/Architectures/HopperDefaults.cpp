//===- HopperDefaults.cpp - The numbers of GPUs with wgmma ----------------===//
//
// Part of Grout. The rates are those measured on an H200: what its power limit
// leaves of the matrix rate, and copies from the cache. The constants of the
// models were fitted to times on it, but where another GPU is named; see
// docs/CostModel.md.
//
//===----------------------------------------------------------------------===//

#include "grout/Processors/Architectures/GPU.h"
#include "grout/Processors/Architectures/Hopper.h"

using namespace grout;

static TargetSpec getSpec() {
  TargetSpec spec = getGPUSpec();
  spec.architecture = "sm_90a";
  // 8.0 has sm_90a, and 8.1 st.async.
  spec.features = "+ptx81";
  spec.processors = 132;
  spec.sharedMemory = int64_t(227) * 1024;
  spec.matrixRate = 7.75e14;
  spec.cacheRate = 7.65e12;
  spec.cacheBytes = int64_t(50) << 20;
  spec.clusters[0] = 132;
  spec.clusters[1] = 66;
  spec.clusters[2] = 30;
  spec.clusters[3] = 15;
  spec.pathProcessors = 16;
  spec.maxPathTraffic = 1.25;
  spec.hasProgrammaticLaunch = true;
  spec.hasRankSums = true;
  spec.linkRate = 3.6e11;
  spec.launchTime = 2e-6;
  spec.earlyLaunchGain = 1e-6;
  // With more, that was not worth it.
  spec.prefetchThreshold = 0.75;
  return spec;
}

static hopper::ModelConstants getProductConstants() {
  hopper::ModelConstants constants;
  constants.loadLatency = 0.8e-6;
  constants.processorLoadRate = 1.42e11;
  constants.processorMemoryRate = 5.89e10;
  constants.matrixShare = 1.075;
  constants.maxClockGain = 1.089;
  constants.swappedGroupLoss = 0.04;
  constants.tallGroupLoss = 0.02;
  constants.power = 3.97;
  constants.idleMemoryLoss = 0.10;
  constants.minClusterWithoutLoss = 4;
  constants.earlyIdleMemoryLoss = 0.20;
  constants.waveMemoryLoss = 0;
  constants.hiddenShare = 0.4;
  constants.epilogueTime = 0.05e-6;
  constants.epilogueTimePerAccumulator = 0.0005e-6;
  constants.functionTime = 0.09e-6;
  constants.exchangeTime = 0.03e-6;
  constants.exchangeTimePerAccumulator = 0.016e-6;
  constants.storeSumsTime = 0.4e-6;
  constants.storeSumsTimePerAccumulator = 0.020e-6;
  constants.addSumsTime = 0.5e-6;
  constants.addSumsTimePerAccumulator = 0.020e-6;
  constants.postLatency = 0.7e-6;
  constants.clusterTime = 1.03e-6;
  constants.largestClusterTime = 2.55e-6;
  constants.clusterLatencyLoss = 1.43;
  constants.sharedLhsLoss = 1.41;
  constants.pixelLoss = 1.8;
  constants.equalLhsGain = 0.90;
  constants.equalRhsGain = 0.53;
  constants.earlyReaders = 3.5;
  constants.missingRowLoss = 2.6;
  constants.extraLineEntry = 0.36;
  constants.extraLineRead = 0.46;
  constants.chain.filledShare = 0.15;
  constants.chain.overlapTime = 1.5e-6;
  constants.chain.inOrderTime = 1.7e-6;
  // On an H100.
  constants.chain.orderedGain = 2;
  constants.chain.modeMargin = 0.98;
  return constants;
}

/// Fitted to times of attention on an H100 (benchmarks/attention.py). Waves,
/// deep rings, few rows, and shared steps of one block were measured on an
/// H200.
static hopper::AttentionConstants getAttentionConstants() {
  hopper::AttentionConstants constants;
  constants.stages = 2;
  constants.deepKeys = 2048;
  constants.deepStages = 4;
  // A wave has 128 rows for each SM if blocks are small or large, and 192 if
  // they are tall. So with many keys, tall blocks take the least time for each
  // row. They also take the longest to start and to end.
  constants.smallWave = {/*start=*/300, /*key=*/0.78, /*elements=*/0.22};
  constants.largeWave = {/*start=*/325, /*key=*/0.95, /*elements=*/0.25};
  constants.tallWave = {/*start=*/525, /*key=*/1.03, /*elements=*/0.37};
  constants.tallKeys = 96;
  constants.tallStages = 4;
  constants.longBlock = 512;
  constants.fewRows = 16;
  constants.sharers = 2;
  constants.sharedStages = 2;
  constants.sharedKeys = 512;
  constants.pairedBlock = 512;
  constants.sharedBlock = 1024;
  constants.partedKeys = 4096;
  constants.leastParts = 3;
  constants.mostParts = 8;
  constants.partMultiple = 1024;
  return constants;
}

HopperProcessor HopperProcessor::getDefault() {
  return {getSpec(), getProductConstants(), getAttentionConstants()};
}
