//===- SearchState.cpp - A schedule under construction --------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "SearchState.h"

#include "Instances.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

namespace grout::detail {

SearchContext::SearchContext(const SchedulingProblem &problem)
    : problem(problem) {
  std::map<std::string, unsigned> numbers;
  for (auto [number, statement] : llvm::enumerate(problem.getStatements())) {
    numbers[statement.name] = number;
    ranks.push_back(statement.iterators.size());
  }
  for (const ScopDependence &dependence : problem.getDependences())
    dependences.push_back(
        {numbers.at(dependence.source), numbers.at(dependence.target),
         dependence.reduction,
         wrap(problem.getContext(), dependentPairs(problem, dependence))});
}

SearchState::SearchState(SearchContext &context)
    : context(&context), rows(context.ranks.size()),
      classes(context.ranks.size(), 0) {
  for (auto [number, dependence] : llvm::enumerate(context.dependences)) {
    isl::map pairs = unwrap(dependence.pairs);
    if (!pairs.is_empty())
      live.push_back(
          {static_cast<unsigned>(number), dependence.source, dependence.target,
           dependence.reduction, dependence.pairs,
           context.cones.get(pairs, dependence.source == dependence.target)});
  }
}

std::vector<LinearForm> SearchState::getBasis(unsigned statement) const {
  std::vector<LinearForm> linear;
  for (const ScheduleRow &row : rows[statement])
    linear.emplace_back(row.begin(), row.end() - 1);
  return rowBasis(std::move(linear));
}

unsigned SearchState::getDeficit(unsigned statement) const {
  return context->ranks[statement] - getBasis(statement).size();
}

bool SearchState::isZero(const LiveDependence &dependence,
                         const ScheduleRow &source, const ScheduleRow &target) {
  // The function target - source, as a function of the cone.
  LinearForm function;
  function.push_back(narrow(static_cast<Wide>(target.back()) - source.back()));
  if (!dependence.cone->ofDifference)
    for (size_t i = 0; i + 1 < source.size(); ++i)
      function.push_back(-source[i]);
  function.insert(function.end(), target.begin(), target.end() - 1);
  return llvm::all_of(dependence.cone->zeroRows, [&](const LinearForm &row) {
    Wide sum = 0;
    for (auto [factor, value] : llvm::zip_equal(row, function))
      sum += static_cast<Wide>(factor) * value;
    return sum == 0;
  });
}

bool SearchState::carriesSomething(const std::vector<bool> &within) const {
  return llvm::any_of(live, [&](const LiveDependence &dependence) {
    if (!within[dependence.source] || !within[dependence.target])
      return false;
    for (size_t dim = bandStart; dim < dims.size(); ++dim)
      if (!isZero(dependence, rows[dependence.source][dim],
                  rows[dependence.target][dim]))
        return true;
    return false;
  });
}

void SearchState::cutBand() {
  if (bandStart == dims.size())
    return;
  std::vector<LiveDependence> left;
  for (LiveDependence &dependence : live) {
    const auto &source = rows[dependence.source];
    const auto &target = rows[dependence.target];
    isl::map pairs = unwrap(dependence.pairs);
    bool changed = false;
    for (size_t dim = bandStart; dim < dims.size(); ++dim)
      if (!isZero(dependence, source[dim], target[dim])) {
        pairs = whereZero(pairs, distance(pairs, source[dim], target[dim]));
        changed = true;
      }
    if (changed) {
      if (pairs.is_empty())
        continue;
      dependence.pairs = wrap(context->problem.getContext(), pairs);
      dependence.cone =
          context->cones.get(pairs, dependence.source == dependence.target);
    }
    left.push_back(std::move(dependence));
  }
  live = std::move(left);
  bandStart = dims.size();
  ++band;
}

void SearchState::appendRows(const Rows &newRows) {
  for (auto [list, row] : llvm::zip_equal(rows, newRows))
    list.push_back(row);
  dims.emplace_back().band = band;
}

ScheduleDim &SearchState::appendLinear(const Rows &newRows) {
  appendRows(newRows);
  bool coincident = true, onlyReductions = true;
  for (const LiveDependence &dependence : live)
    if (!isZero(dependence, newRows[dependence.source],
                newRows[dependence.target])) {
      coincident = false;
      onlyReductions &= dependence.reduction;
    }
  dims.back().coincident = coincident;
  dims.back().reductionParallel = !coincident && onlyReductions;
  return dims.back();
}

const LiveDependence *
SearchState::findReversed(const std::vector<unsigned> &positions) const {
  for (const LiveDependence &dependence : live)
    if (!dependence.reduction &&
        positions[dependence.source] > positions[dependence.target])
      return &dependence;
  return nullptr;
}

void SearchState::appendSequence(const std::vector<unsigned> &positions) {
  cutBand();
  Rows constants;
  for (auto [rank, position] : llvm::zip_equal(context->ranks, positions)) {
    constants.emplace_back(rank + 1, 0);
    constants.back().back() = position;
  }
  appendRows(constants);
  dims.back().kind = DimKind::Sequence;
  llvm::erase_if(live, [&](const LiveDependence &dependence) {
    return positions[dependence.source] != positions[dependence.target];
  });
  bandStart = dims.size();
  ++band;

  std::map<std::pair<unsigned, unsigned>, unsigned> refined;
  for (auto [statement, position] : llvm::enumerate(positions)) {
    unsigned number = refined.size();
    classes[statement] =
        refined.try_emplace({classes[statement], position}, number)
            .first->second;
  }
}

Schedule SearchState::toSchedule() const {
  Schedule schedule;
  schedule.dims = dims;
  for (auto [statement, list] :
       llvm::zip_equal(context->problem.getStatements(), rows))
    schedule.statements.push_back(
        {statement.name, unsigned(statement.iterators.size()), list});
  return schedule;
}

} // namespace grout::detail
