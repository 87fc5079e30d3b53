//===- H200.cpp - NVIDIA H200 --------------------------------------------===//
//
// Part of Grout. The rate of memory is that of copies on one. All other numbers
// of the architecture are an H200's, too.
//
//===----------------------------------------------------------------------===//

#include "Processors.h"
#include "grout/Processors/Architectures/Hopper.h"

using namespace grout;

std::unique_ptr<Target> processors::createH200() {
  HopperProcessor processor = HopperProcessor::getDefault();
  processor.spec.name = "h200";
  processor.spec.memoryRate = 4.4e12;
  processor.spec.peakMemoryRate = 4.917e12;
  return createHopperTarget(processor);
}
