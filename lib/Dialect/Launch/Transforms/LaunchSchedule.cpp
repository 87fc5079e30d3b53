//===- LaunchSchedule.cpp - The order of the launches of plans ------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "EarlyReads.h"
#include "EarlyTriggers.h"
#include "FormedPlan.h"
#include "grout/Dialect/Launch/Transforms/Passes.h"
#include "grout/Dialect/Launch/Transforms/SchedulingPolicy.h"
#include "grout/Support/ErrorWatch.h"
#include "grout/Target/IR/Grout.h"
#include "mlir/IR/Verifier.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "launch-schedule"

namespace grout::launch {
#define GEN_PASS_DEF_LAUNCHSCHEDULE
#include "grout/Dialect/Launch/Transforms/Passes.h.inc"
} // namespace grout::launch

using namespace mlir;
using namespace grout;
using namespace grout::launch;

/// Reports the order that `policy` chose for the launches of `plan`.
static void reportOrder(PlanOp plan, StringRef policy) {
  LDBG_OS([&](llvm::raw_ostream &os) {
    auto launches = plan.getBody().front().getOps<TilesOp>();
    os << plan.getSymName() << " by policy " << policy << ": ";
    llvm::interleaveComma(launches, os,
                          [&](TilesOp launch) { os << launch.getName(); });
  });
}

/// Has `policy` schedule `plan`, and checks what it did: early reads and
/// triggers are chosen for a plan that is valid.
static LogicalResult schedule(PlanOp plan, const SchedulingPolicy &policy,
                              const TargetSpec &target) {
  FormedPlan formed(plan);
  {
    ErrorWatch watch(plan.getContext());
    if (failed(policy.schedule(plan, target))) {
      if (!watch.hasSeenError())
        emitError(plan.getLoc()) << "policy '" << policy.getName()
                                 << "' of launch-schedule fails for plan '"
                                 << plan.getName() << "' and does not say why";
      return failure();
    }
  }
  if (failed(formed.verify(policy.getName())))
    return failure();
  if (failed(verify(plan)))
    return emitError(plan.getLoc())
           << "plan '" << plan.getName() << "' is not valid as policy '"
           << policy.getName() << "' of launch-schedule left it";
  return success();
}

namespace {

struct LaunchSchedule
    : grout::launch::impl::LaunchScheduleBase<LaunchSchedule> {
  using Base::Base;

  void runOnOperation() override {
    const SchedulingPolicy *chosen = lookupSchedulingPolicy(policy);
    if (!chosen) {
      InFlightDiagnostic diag = emitError(getOperation()->getLoc())
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
      if (hasKernels) {
        LDBG() << plan.getSymName() << " has its kernels, so its order stays";
        continue;
      }
      if (failed(schedule(plan, *chosen, (*target)->getSpec())))
        return signalPassFailure();
      reportOrder(plan, policy);
      setEarlyTriggers(plan);
      setEarlyReads(plan);
    }
  }
};

} // namespace
