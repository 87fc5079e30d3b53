//===- SchedulingPolicy.h - Who orders the launches of a plan ---*- C++ -*-===//
//
// Part of Grout. What `launch-schedule` asks; docs/guides/AddALaunchPolicy.md
// adds one.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_DIALECT_LAUNCH_TRANSFORMS_SCHEDULINGPOLICY_H
#define GROUT_DIALECT_LAUNCH_TRANSFORMS_SCHEDULINGPOLICY_H

#include "grout/Dialect/Launch/IR/Launch.h"
#include "grout/Target/TargetSpec.h"
#include <memory>

namespace grout::launch {

/// Orders the launches of plans. It has no state: plans may be scheduled at the
/// same time.
class SchedulingPolicy {
public:
  virtual ~SchedulingPolicy();

  /// What `launch-schedule=policy=` names it.
  virtual llvm::StringRef getName() const = 0;

  /// Moves the launches of `plan`, adds edges to them, and puts them on
  /// branches (`setBranch`) that run beside each other. Behind it the plan
  /// is verified, and compared with what it was before: launches that are lost,
  /// added, altered, or moved before what they need, are errors. Early reads
  /// are chosen for the order that it made, and triggers `after_wait` may
  /// become `before_wait` then. Fails with a diagnostic.
  virtual mlir::LogicalResult schedule(PlanOp plan,
                                       const TargetSpec &target) const = 0;
};

/// Makes `policy` known, instead of one with its name. Not while anything is
/// compiled.
void registerSchedulingPolicy(std::unique_ptr<SchedulingPolicy> policy);

/// The policy called `name`; null if there is none.
const SchedulingPolicy *lookupSchedulingPolicy(llvm::StringRef name);

/// The names of all policies, in alphabetical order.
llvm::SmallVector<llvm::StringRef> getSchedulingPolicyNames();

/// The kind of an edge to `launch` that lets it start as early as it can.
Edge getEarliestEdge(TilesOp launch);

/// Orders the launches of each branch of `plan` one after another as they are
/// in its block, for a stream: adds an edge to each from the one before it, and
/// to the first of branch 0 from what precedes the plan, that lets it start as
/// early as it can. Launches that nobody has chosen a trigger for get one when
/// a launch behind them on their branch may start early.
void orderInSequence(PlanOp plan);

} // namespace grout::launch

#endif // GROUT_DIALECT_LAUNCH_TRANSFORMS_SCHEDULINGPOLICY_H
