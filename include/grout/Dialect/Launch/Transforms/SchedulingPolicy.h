//===- SchedulingPolicy.h - Orders the launches of a plan -------*- C++ -*-===//
//
// Part of Grout. The interface through which `launch-schedule` uses a policy;
// docs/guides/AddALaunchPolicy.md adds a policy.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_DIALECT_LAUNCH_TRANSFORMS_SCHEDULINGPOLICY_H
#define GROUT_DIALECT_LAUNCH_TRANSFORMS_SCHEDULINGPOLICY_H

#include "grout/Dialect/Launch/IR/Launch.h"
#include "grout/Target/TargetSpec.h"
#include <memory>

namespace grout::launch {

/// Orders the launches of plans. A policy has no state, because several threads
/// may schedule plans at the same time.
class SchedulingPolicy {
public:
  virtual ~SchedulingPolicy();

  /// Returns the name that selects the policy in `launch-schedule=policy=`.
  virtual llvm::StringRef getName() const = 0;

  /// Moves the launches of `plan`, adds edges to them, and puts them on
  /// branches (`setBranch`) that run beside each other. Fails with a
  /// diagnostic. Afterwards the pass verifies the plan, and compares it with
  /// the plan before: a launch that is lost, added, altered, or moved before a
  /// launch that it needs, is an error. Then the pass chooses early reads for
  /// the new order, and may replace triggers `after_wait` by `before_wait`.
  virtual mlir::LogicalResult schedule(PlanOp plan,
                                       const TargetSpec &target) const = 0;
};

/// Registers `policy`, and replaces a policy of the same name. Must not be
/// called during a compilation.
void registerSchedulingPolicy(std::unique_ptr<SchedulingPolicy> policy);

/// Returns the policy called `name`; null if there is none.
const SchedulingPolicy *lookupSchedulingPolicy(llvm::StringRef name);

/// Returns the names of all policies, in alphabetical order.
llvm::SmallVector<llvm::StringRef> getSchedulingPolicyNames();

/// Returns the kind of an edge that lets `launch` start as early as it can.
Edge getEarliestEdge(TilesOp launch);

/// Orders the launches of each branch of `plan` one after another, in the order
/// of the block, as on a stream. Adds an edge from each launch to the next one
/// of its branch, unless there is one. If the first launch of the plan is on
/// branch 0 and may start early, it gets an edge from `launch.start`. Each new
/// edge lets its launch start as early as it can. A launch without a chosen
/// trigger gets `after_wait` if a launch behind it, on its branch or on
/// another, may start early; otherwise the next launch of its branch makes it
/// `never`.
void orderInSequence(PlanOp plan);

} // namespace grout::launch

#endif // GROUT_DIALECT_LAUNCH_TRANSFORMS_SCHEDULINGPOLICY_H
