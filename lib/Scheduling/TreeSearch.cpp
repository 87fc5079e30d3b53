//===- TreeSearch.cpp - Follows a constraint tree -------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "TreeSearch.h"

#include "llvm/ADT/STLExtras.h"

namespace grout::detail {

using Node = ConstraintTreeNode;

static unsigned numberOf(const SearchContext &context,
                         const std::string &statement) {
  return context.problem.findStatement(statement) -
         context.problem.getStatements().data();
}

bool TreeSearch::follow(SearchState &state, Relaxation newRelaxation) {
  relaxation = newRelaxation;
  path.clear();
  return followAny(tree.roots, state);
}

bool TreeSearch::followAny(const Nodes &nodes, SearchState &state) {
  const SearchState checkpoint = state;
  std::string parent = path;
  auto enter = [&](size_t number) {
    path = parent + (parent.empty() ? "" : ".") + std::to_string(number);
  };
  std::vector<size_t> failed;
  for (auto [number, node] : llvm::enumerate(nodes)) {
    enter(number);
    bool endsBand = node->kind == DimKind::Sequence || node->newBand;
    bool found = tryNode(*node, state);
    if (found && followBelow(*node, state))
      return true;
    if (!found && !endsBand)
      failed.push_back(number);
    state = checkpoint;
  }
  // Dependences that earlier rows carry may be the only obstacle.
  if (!failed.empty() &&
      state.carriesSomething(std::vector<bool>(context.ranks.size(), true))) {
    trace(state.getDepth(), "new band", "alternatives are tried again");
    for (size_t number : failed) {
      enter(number);
      state.cutBand();
      if (tryNode(*nodes[number], state) && followBelow(*nodes[number], state))
        return true;
      state = checkpoint;
    }
  }
  path = parent;
  return false;
}

bool TreeSearch::followBelow(const Node &node, SearchState &state) {
  size_t depth = state.getDepth();
  if (node.children.empty() ? complete(context, state, trace) && canRun(state)
                            : followAny(node.children, state))
    return true;
  trace(depth, "no alternative left",
        "back to dimension " + std::to_string(depth - 1));
  return false;
}

bool TreeSearch::canRun(const SearchState &state) {
  if (!options.findProblem)
    return true;
  std::string problem = options.findProblem(state.toSchedule());
  if (problem.empty())
    return true;
  trace(state.getDepth(), "path " + path, "cannot be run: " + problem);
  // After relaxation, the same path may lead to the same schedule again.
  if (llvm::none_of(refused, [&](const RefusedPath &known) {
        return known.path == path && known.problem == problem;
      }))
    refused.push_back({path, std::move(problem)});
  return false;
}

bool TreeSearch::tryNode(const Node &node, SearchState &state) {
  if (++tries > maxTries)
    fail(AnalysisErrorKind::GaveUp,
         "gave up after trying " + std::to_string(maxTries) + " nodes");
  size_t depth = state.getDepth();
  std::string outcome;
  bool found = node.kind == DimKind::Linear ? tryLinear(node, state, outcome)
                                            : trySequence(node, state, outcome);
  if (options.trace)
    trace(depth, node.str(context.problem), outcome);
  return found;
}

bool TreeSearch::trySequence(const Node &node, SearchState &state,
                             std::string &outcome) {
  std::vector<unsigned> positions(context.ranks.size());
  for (auto [position, group] : llvm::enumerate(node.order))
    for (const std::string &name : group)
      positions[numberOf(context, name)] = position;
  state.cutBand();
  if (const LiveDependence *reversed = state.findReversed(positions)) {
    outcome = "infeasible: dependence '" +
              context.problem.getDependences()[reversed->number].name +
              "' would be reversed";
    return false;
  }
  state.appendSequence(positions);
  outcome = "found";
  return true;
}

//===----------------------------------------------------------------------===//
// Linear nodes
//===----------------------------------------------------------------------===//

bool TreeSearch::tryLinear(const Node &node, SearchState &state,
                           std::string &outcome) {
  if (node.newBand)
    state.cutBand();
  RowRequest request = makeRequest(node, state);
  SearchState::Rows rows(context.ranks.size());
  for (const std::vector<bool> &block : makeBlocks(state, request)) {
    request.within = block;
    std::optional<SearchState::Rows> solution =
        solveBlock(node, state, request);
    if (!solution) {
      outcome = "infeasible";
      if (options.trace)
        outcome += ": " + explain(node, state);
      return false;
    }
    for (unsigned s = 0; s < rows.size(); ++s)
      if (block[s])
        rows[s] = std::move((*solution)[s]);
  }
  ScheduleDim &dim = state.appendLinear(rows);
  if (dim.coincident || dim.reductionParallel)
    dim.execution = node.execution;
  outcome = describeFound(dim);
  return true;
}

RowRequest TreeSearch::makeRequest(const Node &node,
                                   const SearchState &state) const {
  RowRequest request;
  size_t size = context.ranks.size();
  request.within.assign(size, true);
  request.independent.assign(size, false);
  unsigned most = 1;
  for (unsigned s = 0; s < size; ++s)
    most = std::max(most, state.getDeficit(s));
  for (unsigned s = 0; s < size; ++s)
    request.independent[s] = state.getDeficit(s) == most;
  for (const CoefficientConstraint &constraint : node.constraints) {
    RowCondition condition{{}, constraint.constant, constraint.equality};
    for (const CoefficientConstraint::Term &term : constraint.terms) {
      const CoefficientRef &ref = term.coefficient;
      unsigned s = numberOf(context, ref.statement);
      if (relaxation != Relaxation::None && !ref.dim)
        request.independent[s] = false;
      if (!ref.dim)
        condition.terms.push_back({term.factor, s, ref.position});
      else
        condition.constant =
            narrow(static_cast<Wide>(term.factor) *
                       state.getRows()[s][*ref.dim][ref.position] +
                   condition.constant);
    }
    request.conditions.push_back(std::move(condition));
  }
  return request;
}

/// Returns how parallel the row has to be. Lanes, threads and blocks run at the
/// same time, but can combine parts of a reduction.
static llvm::ArrayRef<Distances> getDistances(const Node &node,
                                              Relaxation relaxation) {
  static constexpr Distances all[] = {
      Distances::Zero, Distances::ZeroButReductions, Distances::Near};
  if (relaxation == Relaxation::Coincidence)
    return all;
  if (node.coincidence == Coincidence::All)
    return llvm::ArrayRef(all).take_front(1);
  return llvm::ArrayRef(all).take_front(node.execution.isParallel() ? 2 : 3);
}

std::vector<Demand> TreeSearch::makeDemands(const Node &node,
                                            const SearchState &state,
                                            Distances distances) const {
  std::vector<Demand> demands = detail::makeDemands(state, distances);
  if (relaxation < Relaxation::Coincidence)
    for (auto [demand, dependence] : llvm::zip_equal(demands, state.getLive()))
      if (llvm::is_contained(
              node.coincidentDependences,
              context.problem.getDependences()[dependence.number].name))
        demand = Demand::Zero;
  return demands;
}

std::optional<SearchState::Rows>
TreeSearch::solveBlock(const Node &node, const SearchState &state,
                       RowRequest request) {
  for (bool allowNegative : {false, true}) {
    request.allowNegative = allowNegative;
    for (Distances distances : getDistances(node, relaxation)) {
      request.demands = makeDemands(node, state, distances);
      if (auto rows = solveRow(context, state, request))
        return rows;
    }
  }
  return std::nullopt;
}

/// Explains why a row is infeasible: adds demands one by one until there is no
/// row.
std::string TreeSearch::explain(const Node &node, const SearchState &state) {
  RowRequest request = makeRequest(node, state);
  std::vector<bool> independent = request.independent;
  request.independent.assign(independent.size(), false);
  request.allowNegative = true;
  const std::vector<LiveDependence> &live = state.getLive();
  request.demands.assign(live.size(), Demand::Nothing);
  auto isFeasible = [&] {
    return solveRow(context, state, request).has_value();
  };
  auto nameOf = [&](size_t i) {
    return "dependence '" +
           context.problem.getDependences()[live[i].number].name + "' ";
  };
  if (!isFeasible())
    return "the constraints contradict each other";
  for (size_t i = 0; i < live.size(); ++i) {
    if (live[i].reduction)
      continue;
    request.demands[i] = Demand::Legal;
    if (!isFeasible())
      return nameOf(i) + "would be reversed";
  }
  std::vector<Demand> strictest =
      makeDemands(node, state, getDistances(node, relaxation).back());
  for (size_t i = 0; i < live.size(); ++i) {
    if (strictest[i] != Demand::Zero)
      continue;
    request.demands[i] = Demand::Zero;
    if (!isFeasible())
      return nameOf(i) + "cannot have distance zero";
  }
  for (size_t s = 0; s < independent.size(); ++s) {
    request.independent[s] = independent[s];
    if (independent[s] && !isFeasible())
      return "no row of statement '" + context.problem.getStatements()[s].name +
             "' is linearly independent of those before";
  }
  return "the search for independent rows ended without a result";
}

} // namespace grout::detail
