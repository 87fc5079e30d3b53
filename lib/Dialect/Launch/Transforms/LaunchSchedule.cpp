//===- LaunchSchedule.cpp - The order of the launches of plans ------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Dialect/Launch/Transforms/Passes.h"
#include "grout/Dialect/Launch/Transforms/SchedulingPolicy.h"
#include "grout/Target/IR/Grout.h"

namespace grout::launch {
#define GEN_PASS_DEF_LAUNCHSCHEDULE
#include "grout/Dialect/Launch/Transforms/Passes.h.inc"
} // namespace grout::launch

using namespace mlir;
using namespace grout;
using namespace grout::launch;

namespace {

struct LaunchSchedule
    : grout::launch::impl::LaunchScheduleBase<LaunchSchedule> {
  using Base::Base;

  void runOnOperation() override {
    const SchedulingPolicy *chosen = lookupSchedulingPolicy(policy);
    if (!chosen) {
      InFlightDiagnostic diag = getOperation().emitError()
                                << "unknown policy '" << policy
                                << "' of launch-schedule; there are ";
      llvm::interleaveComma(getSchedulingPolicyNames(), diag);
      return signalPassFailure();
    }
    FailureOr<const Target *> target = getTarget(getOperation());
    if (failed(target))
      return signalPassFailure();
    for (auto plan : getOperation().getOps<PlanOp>()) {
      // Where there are kernels, the order is what they are made for.
      bool hasKernels = !plan.getBody().front().getOps<KernelOp>().empty();
      if (!hasKernels && failed(chosen->schedule(plan, (*target)->getSpec())))
        return signalPassFailure();
    }
  }
};

} // namespace
