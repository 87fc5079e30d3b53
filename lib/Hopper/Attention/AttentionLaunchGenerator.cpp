//===- AttentionLaunchGenerator.cpp - Attention for Hopper ----------------===//
//
// Part of Grout. See docs/HopperAttention.md.
//
//===----------------------------------------------------------------------===//

#include "grout/Hopper/Attention/AttentionKernels.h"

#include "AttentionKernel.h"
#include "AttentionPlan.h"

using namespace mlir;
using namespace grout;
using namespace grout::hopper;

namespace {

/// Makes a kernel of one tgemm.attention, which has a launch of its own.
class AttentionLaunchGenerator : public LaunchGenerator {
public:
  bool handles(launch::TilesOp launch) const override;
  FailureOr<LaunchCode> generate(launch::TilesOp launch, LaunchTensors &tensors,
                                 Operation *module,
                                 const TargetSpec &target) const override;
};

} // namespace

bool AttentionLaunchGenerator::handles(launch::TilesOp launch) const {
  SmallVector<TileKernelOpInterface> kernels = launch.getKernels();
  return kernels.size() == 1 &&
         isa<tgemm::AttentionOp>(kernels.front().getOperation());
}

FailureOr<LaunchCode>
AttentionLaunchGenerator::generate(launch::TilesOp launch,
                                   LaunchTensors &tensors, Operation *module,
                                   const TargetSpec &target) const {
  FailureOr<AttentionPlan> plan = planAttention(launch, tensors, target);
  if (failed(plan))
    return failure();
  emitAttentionKernel(cast<gpu::GPUModuleOp>(module), launch.getLoc(), *plan);

  LaunchCode code = plan->getLaunchCode(launch);
  code.grids = {{plan->getNumBlocks()}};
  return code;
}

void hopper::addAttentionKernels(Target &target, LaunchGenerators &launches,
                                 const AttentionConstants &constants) {
  target.setInterface<tgemm::AttentionModel>(
      std::make_unique<HopperAttentionModel>(target.getSpec(), constants));
  launches.add(std::make_unique<AttentionLaunchGenerator>());
}
