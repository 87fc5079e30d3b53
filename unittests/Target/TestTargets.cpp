//===- TestTargets.cpp - Targets like Grout's -----------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "TestTargets.h"

#include "grout/Hopper/Gemm/ProductLaunchGenerator.h"
#include "grout/Hopper/Gemm/ProductModel.h"
#include "grout/Processors/CPU/CPUCodegenPipeline.h"
#include "grout/Processors/CPU/CPULaunchGenerators.h"
#include "grout/Processors/CPU/CPUProductModel.h"
#include "grout/Processors/GPU/GPUCodegenPipeline.h"
#include "grout/Processors/GPU/GPULaunchGenerators.h"

using namespace grout;

TargetSpec test::getSpec(llvm::StringRef like, llvm::StringRef name) {
  TargetSpec spec = lookupTarget(like)->getSpec();
  spec.name = name;
  return spec;
}

std::unique_ptr<Target>
test::createCPU(const TargetSpec &spec,
                std::unique_ptr<LaunchGenerator> generator) {
  auto target = std::make_unique<Target>(spec);
  target->setInterface<tgemm::ProductModel>(
      std::make_unique<cpu::CPUProductModel>(spec));
  target->setInterface<CodegenPipeline>(
      std::make_unique<cpu::CPUCodegenPipeline>());
  auto launches = std::make_unique<cpu::CPULaunchGenerators>();
  launches->add(std::move(generator));
  target->setInterface<LaunchGenerators>(std::move(launches));
  return target;
}

std::unique_ptr<Target>
test::createHopper(const TargetSpec &spec,
                   std::unique_ptr<LaunchGenerator> generator) {
  const auto *model = static_cast<const hopper::HopperProductModel *>(
      lookupTarget("h200")->getInterface<tgemm::ProductModel>());
  auto target = std::make_unique<Target>(spec);
  target->setInterface<tgemm::ProductModel>(
      std::make_unique<hopper::HopperProductModel>(spec,
                                                   model->getConstants()));
  target->setInterface<CodegenPipeline>(std::make_unique<GPUCodegenPipeline>());
  auto launches = std::make_unique<GPULaunchGenerators>();
  launches->add(std::move(generator));
  target->setInterface<LaunchGenerators>(std::move(launches));
  return target;
}

std::unique_ptr<Target> test::createHopper(const TargetSpec &spec) {
  return createHopper(spec, std::make_unique<hopper::ProductLaunchGenerator>());
}
