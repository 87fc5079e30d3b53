//===- Hopper.cpp - GPUs with wgmma ---------------------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Processors/Architectures/Hopper.h"

#include "grout/Hopper/Attention/AttentionKernels.h"
#include "grout/Hopper/Gemm/GemmKernels.h"
#include "grout/Processors/Architectures/GPU.h"
#include "grout/Processors/GPU/GPULaunchGenerators.h"
#include "grout/Target/FittedConstants.h"
#include "llvm/ADT/STLExtras.h"

using namespace grout;

/// Where `processor` has its fitted constants, by name.
static llvm::SmallVector<std::pair<llvm::StringRef, double *>>
getFields(HopperProcessor &processor) {
  TargetSpec &spec = processor.spec;
  hopper::ModelConstants &products = processor.products;
  tgemm::ChainConstants &chain = products.chain;
  return {
      {"matrixRate", &spec.matrixRate}, {"memoryRate", &spec.memoryRate},
      {"cacheRate", &spec.cacheRate},   {"keptShare", &spec.keptShare},
      {"launchTime", &spec.launchTime},
#define GROUT_CONSTANT(name) {#name, &products.name},
#include "grout/Hopper/Gemm/ModelConstants.def"
#define GROUT_CONSTANT(name) {"chain." #name, &chain.name},
#include "grout/Dialect/TGemm/Transforms/ChainConstants.def"
  };
}

namespace {

class HopperConstants : public FittedConstants {
public:
  explicit HopperConstants(const HopperProcessor &processor)
      : processor(processor) {}

  llvm::SmallVector<NamedConstant> getAll() const override {
    HopperProcessor copy = processor;
    return llvm::map_to_vector(getFields(copy), [](auto field) {
      return NamedConstant(field.first, *field.second);
    });
  }

  llvm::Expected<std::unique_ptr<Target>>
  replace(llvm::ArrayRef<NamedConstant> values) const override {
    HopperProcessor changed = processor;
    auto fields = getFields(changed);
    for (const NamedConstant &value : values) {
      auto *field = llvm::find_if(fields, [&](const auto &field) {
        return field.first == value.first;
      });
      if (field == fields.end())
        return llvm::createStringError("target '" + processor.spec.name +
                                       "' has no constant '" + value.first +
                                       "'");
      *field->second = value.second;
    }
    return createHopperTarget(changed);
  }

private:
  HopperProcessor processor;
};

} // namespace

std::unique_ptr<Target>
grout::createHopperTarget(const HopperProcessor &processor) {
  std::unique_ptr<Target> target = createGPUTarget(processor.spec);
  target->setInterface<FittedConstants>(
      std::make_unique<HopperConstants>(processor));
  auto launches = std::make_unique<GPULaunchGenerators>();
  hopper::addGemmKernels(*target, *launches, processor.products);
  hopper::addAttentionKernels(*target, *launches, processor.attention);
  target->setInterface<LaunchGenerators>(std::move(launches));
  return target;
}
