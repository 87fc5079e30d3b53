//===- CPULaunchGenerators.cpp - Kernels for CPUs
//----------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Processors/CPU/CPULaunchGenerators.h"

#include "grout/Conversion/CollectiveToCPU/CollectiveBodies.h"
#include "grout/Conversion/TGemmToCPU/CPULaunchGenerator.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;
using namespace grout;
using namespace grout::cpu;

CPULaunchGenerators::CPULaunchGenerators() {
  auto generator = std::make_unique<CPULaunchGenerator>();
  generator->add(createRankSumBodyGenerator());
  generator->add(createAllGatherBodyGenerator());
  generator->add(createAllToAllBodyGenerator());
  add(std::move(generator));
}

Operation *CPULaunchGenerators::createModule(OpBuilder &builder, Location loc,
                                             StringRef name,
                                             const TargetSpec &) const {
  return ModuleOp::create(builder, loc, name);
}
