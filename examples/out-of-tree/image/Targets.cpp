//===- Targets.cpp - Processors that image.smooth is compiled for ---------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "image/Targets.h"

#include "grout/Conversion/TGemmToCPU/CPULaunchGenerator.h"
#include "grout/Hopper/Gemm/ProductLaunchGenerator.h"
#include "grout/Hopper/Gemm/ProductModel.h"
#include "grout/Processors/CPU/CPUCodegenPipeline.h"
#include "grout/Processors/CPU/CPULaunchGenerators.h"
#include "grout/Processors/CPU/CPUProductModel.h"
#include "grout/Processors/GPU/GPUCodegenPipeline.h"
#include "grout/Processors/GPU/GPULaunchGenerators.h"
#include "image/Mix.h"
#include "image/SmoothBody.h"
#include "image/SmoothKernel.h"

using namespace grout;
using namespace image;

static std::unique_ptr<Target> createCPU() {
  TargetSpec spec = lookupTarget("cpu")->getSpec();
  spec.name = "image-cpu";
  auto target = std::make_unique<Target>(spec);
  target->setInterface<tgemm::ProductModel>(
      std::make_unique<cpu::CPUProductModel>(spec));
  target->setInterface<CodegenPipeline>(
      std::make_unique<cpu::CPUCodegenPipeline>());
  auto generator = std::make_unique<cpu::CPULaunchGenerator>();
  generator->add(std::make_unique<SmoothBody>());
  auto launches = std::make_unique<cpu::CPULaunchGenerators>();
  launches->add(std::move(generator));
  target->setInterface<LaunchGenerators>(std::move(launches));
  return target;
}

static std::unique_ptr<Target> createH200() {
  const Target &h200 = *lookupTarget("h200");
  TargetSpec spec = h200.getSpec();
  spec.name = "image-h200";
  auto target = std::make_unique<Target>(spec);
  const auto *model = static_cast<const hopper::HopperProductModel *>(
      h200.getInterface<tgemm::ProductModel>());
  target->setInterface<tgemm::ProductModel>(
      std::make_unique<hopper::HopperProductModel>(spec,
                                                   model->getConstants()));
  target->setInterface<CodegenPipeline>(std::make_unique<GPUCodegenPipeline>());
  auto launches = std::make_unique<GPULaunchGenerators>();
  launches->add(std::make_unique<hopper::ProductLaunchGenerator>());
  launches->add(std::make_unique<SmoothKernel>());
  launches->add(std::make_unique<MixKernel>());
  target->setInterface<LaunchGenerators>(std::move(launches));
  return target;
}

void image::registerTargets() {
  registerTarget(createCPU());
  registerTarget(createH200());
  registerTarget(createSmallHopper());
}
