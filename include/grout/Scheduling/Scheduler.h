//===- Scheduler.h - Solvers of scheduling problems -------------*- C++ -*-===//
//
// Part of Grout. See docs/ConstraintScheduling.md.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_SCHEDULING_SCHEDULER_H
#define GROUT_SCHEDULING_SCHEDULER_H

#include "grout/Scheduling/ConstraintTree.h"
#include "grout/Scheduling/SchedulingProblem.h"
#include <functional>

namespace grout {

struct SchedulerOptions {
  /// The number of isl operations that one call may use in total; 0: no limit.
  /// The tree may use half of them, and each other step an eighth.
  uint64_t maxOperations = IslContext::defaultMaxOperations;
  /// Whether to record the steps of the search, and to find out why nodes fail.
  bool trace = false;
  /// Returns why a target cannot run a legal schedule, or an empty string. Null
  /// if the target can run all schedules. The scheduler rejects a schedule that
  /// cannot run, like one that is not legal.
  // NOLINTNEXTLINE(readability-redundant-member-init): most lists omit it.
  std::function<std::string(const Schedule &)> findProblem = {};
};

/// A step of the search.
struct TraceEvent {
  /// Dimension of the schedule.
  unsigned depth;
  /// The step: a node of the tree, or a step of the scheduler's own.
  std::string step;
  /// The result of the step.
  std::string outcome;

  /// Returns a line such as "1: linear X.i = 1: infeasible: ...".
  std::string str() const;
};

/// A path of the tree whose schedule is legal, but cannot run on the target.
struct RefusedPath {
  /// The numbers of its nodes, such as "1.0.0".
  std::string path;
  /// The text of SchedulerOptions::findProblem.
  std::string problem;
};

struct SchedulingResult {
  enum class Origin {
    /// A path of the tree, with all of its constraints.
    Tree,
    /// A path of the tree, with some of its constraints dropped.
    Relaxed,
    /// The scheduler itself: there was no tree, or it could follow no path.
    Completed,
    /// isl's own scheduler.
    IslFallback,
    /// The problem's original order.
    OriginalOrder,
  };

  Schedule schedule;
  Origin origin = Origin::Completed;
  /// One sentence that says what happened.
  std::string remark;
  /// The paths that cannot run, in the order in which they were given up.
  std::vector<RefusedPath> refused;
  /// The steps of the search; empty unless requested.
  std::vector<TraceEvent> trace;

  /// Returns the trace, with one event on a line.
  std::string traceText() const;
};

llvm::StringRef stringifyOrigin(SchedulingResult::Origin origin);

/// A solver of scheduling problems.
class Scheduler {
public:
  virtual ~Scheduler();

  /// Finds a schedule that problem.verify() accepts, steered by `tree` if there
  /// is one. Fails if the problem or the tree is malformed, or if there is no
  /// schedule within the budget and no original order to fall back to. The
  /// result is deterministic.
  virtual llvm::Expected<SchedulingResult>
  schedule(const SchedulingProblem &problem, const ConstraintTree *tree,
           const SchedulerOptions &options) const = 0;
};

/// Creates a scheduler that computes one dimension at a time, by integer linear
/// programming.
std::unique_ptr<Scheduler> createIlpScheduler();

/// Creates a scheduler that uses isl's own scheduler, which takes no tree. It
/// rejects results that are not affine rows without divisions.
std::unique_ptr<Scheduler> createIslScheduler();

} // namespace grout

#endif // GROUT_SCHEDULING_SCHEDULER_H
