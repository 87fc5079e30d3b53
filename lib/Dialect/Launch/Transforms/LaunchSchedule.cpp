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

/// Lets `policy` schedule `plan`.
static LogicalResult schedule(PlanOp plan, const SchedulingPolicy &policy,
                              const TargetSpec &target) {
  ErrorWatch watch(plan.getContext());
  // The policy may erase the plan.
  Operation *module = plan->getParentOp();
  Location loc = plan.getLoc();
  std::string name = plan.getName().str();
  auto getOps = [&] {
    return llvm::map_to_vector(module->getRegion(0).front(),
                               [](Operation &op) { return &op; });
  };
  SmallVector<Operation *> before = getOps();
  LogicalResult result = policy.schedule(plan, target);
  SmallVector<Operation *> after = getOps();
  if (!llvm::is_contained(after, plan.getOperation()))
    return emitError(loc) << "plan '" << name << "' was erased by policy '"
                          << policy.getName() << "'" << kAllowedToPolicies;
  if (before != after)
    return emitError(loc) << "ops beside plan '" << name
                          << "' were added, erased or moved by policy '"
                          << policy.getName() << "'" << kAllowedToPolicies;
  if (failed(result) && !watch.hasSeenError())
    emitError(loc) << "policy '" << policy.getName()
                   << "' of launch-schedule fails for plan '" << name
                   << "' and does not say why";
  return result;
}

/// Checks the changes that `policy` made to `plan`, which was `formed` before.
/// Early reads and triggers, which are chosen afterwards, need a valid plan.
static LogicalResult check(PlanOp plan, FormedPlan &formed,
                           const SchedulingPolicy &policy) {
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
    SmallVector<PlanOp> plans = getPlans();
    // Copy all plans first: a policy that schedules one plan may change
    // another.
    std::vector<FormedPlan> formed(plans.begin(), plans.end());
    for (PlanOp plan : plans)
      if (failed(schedule(plan, *chosen, (*target)->getSpec())))
        return signalPassFailure();
    for (auto [plan, before] : llvm::zip_equal(plans, formed))
      if (failed(check(plan, before, *chosen)))
        return signalPassFailure();
    for (PlanOp plan : plans) {
      reportOrder(plan, policy);
      setEarlyTriggers(plan);
      setEarlyReads(plan);
    }
  }

private:
  /// Returns the plans that have no kernels yet. Existing kernels are compiled
  /// for the order that their plan has.
  SmallVector<PlanOp> getPlans() {
    return llvm::filter_to_vector(
        getOperation().getOps<PlanOp>(), [](PlanOp plan) {
          bool hasKernels = !plan.getBody().front().getOps<KernelOp>().empty();
          if (hasKernels)
            LDBG() << plan.getSymName()
                   << " has its kernels, so its order stays";
          return !hasKernels;
        });
  }
};

} // namespace
