//===- H100.cpp - NVIDIA H100 --------------------------------------------===//
//
// Part of Grout. Its SMs, its cache and their rates are those of an H200; its
// memory is slower. What depends on that was fitted to times of products,
// chains and convolutions on an H100; see docs/CostModel.md.
//
//===----------------------------------------------------------------------===//

#include "Processors.h"
#include "grout/Processors/Architectures/Hopper.h"

using namespace grout;

std::unique_ptr<Target> processors::createH100() {
  HopperProcessor processor = HopperProcessor::getDefault();
  processor.spec.name = "h100";
  processor.spec.memoryRate = 3.1e12;
  processor.spec.peakMemoryRate = 3.352e12;
  processor.spec.keptShare = 0.45;
  processor.products.waveMemoryLoss = 0.10;
  return createHopperTarget(processor);
}
