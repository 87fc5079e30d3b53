//===- GPULaunchGenerators.cpp - Kernels for GPUs
//----------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Processors/GPU/GPULaunchGenerators.h"

#include "grout/Conversion/CollectiveToNVVM/CollectiveLaunchGenerator.h"
#include "grout/Conversion/Common/GPUModule.h"
#include "grout/Conversion/ScopToGPU/ScopLaunchGenerator.h"

using namespace mlir;
using namespace grout;

GPULaunchGenerators::GPULaunchGenerators() {
  add(std::make_unique<scop::ScopLaunchGenerator>());
  add(std::make_unique<CollectiveLaunchGenerator>());
}

Operation *GPULaunchGenerators::createModule(OpBuilder &builder, Location loc,
                                             StringRef name,
                                             const TargetSpec &target) const {
  return createGPUModule(builder, loc, name, target);
}
