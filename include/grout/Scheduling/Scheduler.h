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
  /// Operations of isl that one call may spend in all; 0: no limit. Half is for
  /// the tree, and an eighth for each other step.
  uint64_t maxOperations = IslContext::defaultMaxOperations;
  /// Record what was tried, and find out why nodes fail.
  bool trace = false;
  /// Says why what is to run a legal schedule cannot, or gives an empty string;
  /// null if all can be run. A schedule that cannot is given up, as one that is
  /// not legal.
  // Most leave it out, which takes an initializer.
  // NOLINTNEXTLINE(readability-redundant-member-init)
  std::function<std::string(const Schedule &)> findProblem = {};
};

/// A step of the search.
struct TraceEvent {
  /// Dimension of the schedule.
  unsigned depth;
  /// What was tried: a node of the tree, or a step of the scheduler's own.
  std::string step;
  /// What came of it.
  std::string outcome;

  /// "1: linear X.i = 1: infeasible: ...".
  std::string str() const;
};

/// A path of the tree whose schedule is legal and cannot be run.
struct RefusedPath {
  /// Numbers of its nodes, "1.0.0".
  std::string path;
  /// What SchedulerOptions::findProblem says.
  std::string problem;
};

struct SchedulingResult {
  enum class Origin {
    /// A path of the tree, as it stands.
    Tree,
    /// A path of the tree, of which some demands were dropped.
    Relaxed,
    /// The scheduler itself: there was no tree, or no path could be followed.
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
  /// In the order in which they were given up.
  std::vector<RefusedPath> refused;
  /// Empty unless asked for.
  std::vector<TraceEvent> trace;

  /// The trace, an event on a line.
  std::string traceText() const;
};

llvm::StringRef stringifyOrigin(SchedulingResult::Origin origin);

/// A solver.
class Scheduler {
public:
  virtual ~Scheduler();

  /// Finds a schedule that problem.verify() accepts, steered by `tree` if there
  /// is one. Fails if the problem or the tree is malformed, or if there is no
  /// schedule within the budget and no original order to fall back to.
  /// Deterministic.
  virtual llvm::Expected<SchedulingResult>
  schedule(const SchedulingProblem &problem, const ConstraintTree *tree,
           const SchedulerOptions &options) const = 0;
};

/// One dimension at a time, by integer linear programming.
std::unique_ptr<Scheduler> createIlpScheduler();

/// isl's own scheduler; takes no tree. Refuses results that are not affine rows
/// without divisions.
std::unique_ptr<Scheduler> createIslScheduler();

} // namespace grout

#endif // GROUT_SCHEDULING_SCHEDULER_H
