//===- AttentionLaunchGenerator.cpp - Attention for Hopper ----------------===//
//
// Part of Grout. See docs/HopperAttention.md.
//
//===----------------------------------------------------------------------===//

#include "grout/Conversion/TGemmToNVVM/AttentionLaunchGenerator.h"

#include "AttentionKernel.h"
#include "AttentionPlan.h"

using namespace mlir;
using namespace grout;
using namespace grout::hopper;

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
