//===- SmallHopper.cpp - A processor of one's own -------------------------===//
//
// Part of Grout. This GPU is made up: nothing about it was measured.
//
//===----------------------------------------------------------------------===//

#include "grout/Processors/Architectures/Hopper.h"
#include "image/Targets.h"

using namespace grout;

std::unique_ptr<Target> image::createSmallHopper() {
  HopperProcessor processor = HopperProcessor::getDefault();
  TargetSpec &spec = processor.spec;
  spec.name = "small-hopper";
  spec.processors = 44;
  spec.sharedMemory = int64_t(100) * 1024;
  spec.clusters[0] = 44;
  spec.clusters[1] = 22;
  spec.clusters[2] = 10;
  spec.clusters[3] = 5;
  spec.matrixRate = 2.5e14;
  spec.memoryRate = 1.4e12;
  spec.peakMemoryRate = 1.6e12;
  spec.cacheBytes = int64_t(16) << 20;
  return createHopperTarget(processor);
}
