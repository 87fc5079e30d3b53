//===- IlpScheduler.cpp - One dimension at a time -------------------------===//
//
// Part of Grout. Tries, in this order: the tree, the tree relaxed, no tree,
// isl's own scheduler, the original order. docs/ConstraintScheduling.md
// explains the theory.
//
//===----------------------------------------------------------------------===//

#include "IslSchedule.h"
#include "TreeSearch.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

namespace grout {
namespace {

using Origin = SchedulingResult::Origin;

/// Throws `error`, if there is one.
void throwError(llvm::Error error) {
  if (!error)
    return;
  AnalysisErrorKind kind = AnalysisErrorKind::Invalid;
  std::string message;
  llvm::handleAllErrors(std::move(error), [&](const AnalysisError &cause) {
    kind = cause.getKind();
    message = cause.getMessage().str();
  });
  detail::fail(kind, message);
}

class Ladder {
public:
  Ladder(const SchedulingProblem &problem, const ConstraintTree *tree,
         const SchedulerOptions &options)
      : problem(problem), tree(tree), options(options) {}

  /// Returns a schedule. Throws if there is none.
  SchedulingResult run() {
    prepare();
    if (tree && !tree->roots.empty())
      attempt("the constraint tree was given up", 2, [&] { followTree(); });
    if (!done)
      attempt("the scheduler found no schedule of its own", 8,
              [&] { scheduleAlone(); });
    if (!done)
      attempt("isl's own scheduler failed", 8, [&] {
        setSchedule(detail::scheduleByIsl(*context));
        finish(Origin::IslFallback, "isl's own scheduler was used");
      });
    if (!done && problem.getOriginalOrder())
      attempt("the original order was not accepted", 8, [&] {
        throwError(problem.verify(*problem.getOriginalOrder()));
        setSchedule(*problem.getOriginalOrder());
        finish(Origin::OriginalOrder, "the original order was kept");
      });
    if (!done)
      detail::fail(AnalysisErrorKind::GaveUp,
                   "no schedule was found: " + notes);
    return std::move(result);
  }

private:
  /// Returns a fraction of the budget. The fractions of all steps add up to
  /// less than one.
  uint64_t getShare(unsigned divisor) const {
    return options.maxOperations == 0
               ? 0
               : std::max<uint64_t>(options.maxOperations / divisor, 1);
  }

  void prepare() {
    bool prepared = detail::tryWithin(problem.getContext(), getShare(8), [&] {
      throwError(problem.check());
      if (tree)
        throwError(tree->check(problem));
      context.emplace(problem);
    });
    if (!prepared)
      detail::fail(AnalysisErrorKind::GaveUp,
                   "gave up: the operation budget of the scheduler ran out "
                   "before it started");
  }

  /// Runs a step within its share of the budget. If that does not finish the
  /// schedule, notes why.
  void attempt(const std::string &failure, unsigned divisor,
               llvm::function_ref<void()> step) {
    std::string why;
    try {
      if (!detail::tryWithin(problem.getContext(), getShare(divisor), step))
        why = "the operation budget ran out";
    } catch (const detail::Failure &failed) {
      why = failed.message;
    } catch (const isl::exception &failed) {
      why = failed.what();
    }
    if (done && why.empty())
      return;
    done = false;
    notes += failure + (why.empty() ? "" : " (" + why + ")") + "; ";
    if (options.trace)
      result.trace.push_back({0, failure, why.empty() ? "next" : why});
  }

  /// Throws if `schedule` cannot be run.
  void setSchedule(const Schedule &schedule) {
    if (options.findProblem)
      if (std::string why = options.findProblem(schedule); !why.empty())
        detail::fail(AnalysisErrorKind::Invalid, "it cannot be run: " + why);
    result.schedule = schedule;
  }

  void finish(Origin origin, const std::string &remark) {
    result.origin = origin;
    result.remark = notes + remark;
    done = true;
  }

  void record(size_t depth, std::string step, std::string outcome) {
    if (options.trace)
      result.trace.push_back(
          {static_cast<unsigned>(depth), std::move(step), std::move(outcome)});
  }

  void followTree() {
    auto tracer = [&](size_t depth, std::string step, std::string outcome) {
      record(depth, std::move(step), std::move(outcome));
    };
    detail::TreeSearch search(*context, *tree, options, tracer);
    constexpr std::pair<detail::Relaxation, const char *> relaxations[] = {
        {detail::Relaxation::None, ""},
        {detail::Relaxation::Independence,
         "without asking for linearly independent rows"},
        {detail::Relaxation::Coincidence,
         "without asking for linearly independent or coincident rows"}};
    for (auto [relaxation, how] : relaxations) {
      if (relaxation != detail::Relaxation::None)
        record(0, "relaxation", how);
      detail::SearchState state(*context);
      bool found = search.follow(state, relaxation);
      result.refused = search.getRefused();
      if (!found)
        continue;
      result.schedule = state.toSchedule();
      std::string path =
          "followed the constraint tree along " + search.getPath();
      if (relaxation == detail::Relaxation::None)
        finish(Origin::Tree, path);
      else
        finish(Origin::Relaxed, path + ", " + how);
      return;
    }
    detail::fail(AnalysisErrorKind::Invalid,
                 result.refused.empty()
                     ? "no path is feasible"
                     : "no path is feasible and can be run; on the path " +
                           result.refused.back().path + ", " +
                           result.refused.back().problem);
  }

  void scheduleAlone() {
    auto tracer = [&](size_t depth, std::string step, std::string outcome) {
      record(depth, std::move(step), std::move(outcome));
    };
    detail::SearchState state(*context);
    if (!detail::complete(*context, state, tracer))
      detail::fail(AnalysisErrorKind::Invalid, "no row is feasible");
    setSchedule(state.toSchedule());
    finish(Origin::Completed, "scheduled without a constraint tree");
  }

  const SchedulingProblem &problem;
  const ConstraintTree *tree;
  const SchedulerOptions &options;
  std::optional<detail::SearchContext> context;
  SchedulingResult result;
  /// The reasons why earlier steps failed.
  std::string notes;
  bool done = false;
};

class IlpScheduler final : public Scheduler {
public:
  llvm::Expected<SchedulingResult>
  schedule(const SchedulingProblem &problem, const ConstraintTree *tree,
           const SchedulerOptions &options) const override {
    return detail::guarded(problem.getContext(), [&] {
      return Ladder(problem, tree, options).run();
    });
  }
};

} // namespace

//===----------------------------------------------------------------------===//
// Public interface
//===----------------------------------------------------------------------===//

Scheduler::~Scheduler() = default;

std::unique_ptr<Scheduler> createIlpScheduler() {
  return std::make_unique<IlpScheduler>();
}

std::string TraceEvent::str() const {
  return std::to_string(depth) + ": " + step + ": " + outcome;
}

std::string SchedulingResult::traceText() const {
  std::string text;
  for (const TraceEvent &event : trace)
    text += event.str() + "\n";
  return text;
}

llvm::StringRef stringifyOrigin(SchedulingResult::Origin origin) {
  switch (origin) {
  case Origin::Tree:
    return "tree";
  case Origin::Relaxed:
    return "relaxed";
  case Origin::Completed:
    return "completed";
  case Origin::IslFallback:
    return "isl";
  case Origin::OriginalOrder:
    return "original";
  }
  llvm_unreachable("unknown origin of a schedule");
}

} // namespace grout
