//===- VerifySchedule.cpp - The exact test of a schedule ------------------===//
//
// Part of Grout. Checks one dimension after another, on the pairs that still
// have equal times. In no dimension may a pair go backwards, and no pair may be
// left after the last one.
//
//===----------------------------------------------------------------------===//

#include "Instances.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

namespace grout {
namespace {

std::string describe(size_t dim) { return "dimension " + std::to_string(dim); }

/// Checks that rows match dimensions and statements, and that flags match
/// kinds.
void checkShape(const SchedulingProblem &problem, const Schedule &schedule) {
  for (auto [number, dim] : llvm::enumerate(schedule.dims)) {
    bool sequence = dim.kind == DimKind::Sequence;
    bool shared = (number > 0 && schedule.dims[number - 1].band == dim.band) ||
                  (number + 1 < schedule.dims.size() &&
                   schedule.dims[number + 1].band == dim.band);
    const LoopExecution &execution = dim.execution;
    if (sequence && (shared || dim.coincident || dim.reductionParallel ||
                     !(execution == LoopExecution())))
      detail::refuse(describe(number) +
                     ": a sequence is a band of its own, and has no flags");
    for (size_t later = number + 1; later < schedule.dims.size(); ++later)
      if (schedule.dims[later].band < dim.band)
        detail::refuse(describe(later) + ": numbers of bands do not descend");
    if (llvm::StringRef wrong = execution.findContradiction(); !wrong.empty())
      detail::refuse(describe(number) + ": " + wrong.str());
    bool parallel = dim.coincident || dim.reductionParallel;
    if (execution.vectorWidth != 1 && !parallel)
      detail::refuse(describe(number) +
                     " is vectorised, but not marked as parallel");
    if (execution.mapping && !parallel)
      detail::refuse(describe(number) + " is mapped to " +
                     stringifyMapping(*execution.mapping).str() +
                     ", but not marked as parallel");
    for (const std::string &name : execution.vectorStatements)
      if (!problem.findStatement(name))
        detail::refuse(describe(number) + ": there is no statement '" + name +
                       "'");
  }
  llvm::StringSet<> names;
  for (const Schedule::StatementRows &rows : schedule.statements) {
    const ScopStatement *statement = problem.findStatement(rows.statement);
    if (!statement)
      detail::refuse("there is no statement '" + rows.statement + "'");
    if (!names.insert(rows.statement).second)
      detail::refuse("statement '" + rows.statement + "' is scheduled twice");
    if (rows.rows.size() != schedule.dims.size())
      detail::refuse("statement '" + rows.statement + "' has " +
                     std::to_string(rows.rows.size()) +
                     " rows, but there are " +
                     std::to_string(schedule.dims.size()) + " dimensions");
    for (auto [number, row] : llvm::enumerate(rows.rows)) {
      if (row.size() != statement->iterators.size() + 1)
        detail::refuse("statement '" + rows.statement + "': the row of " +
                       describe(number) + " needs " +
                       std::to_string(statement->iterators.size()) +
                       " coefficients and a constant");
      bool constant = llvm::all_of(llvm::ArrayRef(row).drop_back(),
                                   [](int64_t factor) { return factor == 0; });
      if (schedule.dims[number].kind == DimKind::Sequence && !constant)
        detail::refuse("statement '" + rows.statement +
                       "': " + describe(number) +
                       " is a sequence, so its row is a constant");
    }
  }
  for (const ScopStatement &statement : problem.getStatements())
    if (!names.contains(statement.name))
      detail::refuse("statement '" + statement.name + "' is not scheduled");
}

/// Checks one dependence against the order, and against the flags of
/// dimensions.
void checkDependence(const SchedulingProblem &problem, const Schedule &schedule,
                     const ScopDependence &dependence) {
  std::string name = "dependence '" + dependence.name + "' ";
  auto failWith = [&](const isl::map &pairs, const std::string &what) {
    if (!pairs.is_empty())
      detail::refuse(name + detail::firstPair(dependence, pairs) + what);
  };
  const std::vector<ScheduleRow> &source = *schedule.find(dependence.source);
  const std::vector<ScheduleRow> &target = *schedule.find(dependence.target);
  /// The pairs with equal times in all earlier dimensions; and in all earlier
  /// bands.
  isl::map simultaneous = detail::dependentPairs(problem, dependence);
  isl::map inBand = simultaneous;
  for (auto [number, dim] : llvm::enumerate(schedule.dims)) {
    if (number > 0 && dim.band != schedule.dims[number - 1].band)
      inBand = simultaneous;
    if (inBand.is_empty())
      return;
    isl::aff distance =
        detail::distance(inBand, source[number], target[number]);
    if (!dependence.reduction) {
      failWith(detail::whereNegative(simultaneous, distance), " is reversed");
      failWith(detail::whereNegative(inBand, distance),
               " is reversed by " + describe(number) +
                   " of its band, which therefore cannot be permuted");
    }
    if (dim.coincident || (dim.reductionParallel && !dependence.reduction))
      failWith(detail::whereNotZero(inBand, distance),
               " is carried by " + describe(number) +
                   ", which therefore is not parallel");
    simultaneous = detail::whereZero(simultaneous, distance);
  }
  failWith(simultaneous, ": both happen at the same time");
}

} // namespace

llvm::Error SchedulingProblem::verify(const Schedule &schedule) const {
  if (llvm::Error error = check())
    return error;
  return detail::guarded(context,
                         [&] {
                           checkShape(*this, schedule);
                           for (const ScopDependence &dependence : dependences)
                             checkDependence(*this, schedule, dependence);
                           return true;
                         })
      .takeError();
}

} // namespace grout
