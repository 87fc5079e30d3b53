//===- Completion.cpp - The scheduler without influence -------------------===//
//
// Part of Grout. Each block of statements that depend on each other takes the
// first of these steps that is feasible:
//
// - a row with distance zero everywhere;
//
// - a row that only reductions prevent from being parallel;
//
// - depending on the fusion that is allowed: a row with small distances, the
//   end of the band, or an order of the strongly connected components.
//
//===----------------------------------------------------------------------===//

#include "Completion.h"

#include "llvm/ADT/STLExtras.h"

namespace grout::detail {

using Group = std::vector<unsigned>;

/// Returns the strongly connected components of live dependences among
/// `within`, in an order that reverses no dependence. Of the components that
/// could come next, the one with the first statement does.
static std::vector<Group> getComponents(const SearchState &state,
                                        const std::vector<bool> &within) {
  size_t size = within.size();
  std::vector<std::vector<bool>> reaches(size, std::vector<bool>(size, false));
  for (const LiveDependence &dependence : state.getLive())
    if (!dependence.reduction && within[dependence.source] &&
        within[dependence.target])
      reaches[dependence.source][dependence.target] = true;
  for (size_t via = 0; via < size; ++via)
    for (size_t from = 0; from < size; ++from)
      if (reaches[from][via])
        for (size_t to = 0; to < size; ++to)
          if (reaches[via][to])
            reaches[from][to] = true;

  std::vector<Group> components;
  std::vector<bool> left = within;
  auto isNext = [&](unsigned candidate) -> bool {
    for (unsigned other = 0; other < size; ++other)
      if (left[other] && reaches[other][candidate] &&
          !reaches[candidate][other])
        return false;
    return left[candidate];
  };
  for (;;) {
    unsigned first = 0;
    while (first < size && !isNext(first))
      ++first;
    if (first == size)
      return components;
    Group &component = components.emplace_back();
    for (unsigned s = 0; s < size; ++s)
      if (s == first || (reaches[s][first] && reaches[first][s])) {
        component.push_back(s);
        left[s] = false;
      }
  }
}

std::string describeFound(const ScheduleDim &dim) {
  if (dim.coincident)
    return "found, coincident";
  return dim.reductionParallel ? "found, parallel but for reductions"
                               : "found, not parallel";
}

namespace {

/// The next step of a block.
struct Step {
  enum Kind { Row, CutBand, Split, Stuck } kind;
  SearchState::Rows rows;
  std::vector<Group> groups;
};

class Completer {
public:
  Completer(SearchContext &context, SearchState &state, Tracer trace)
      : context(context), state(state), trace(trace) {}

  bool run() {
    do {
      while (hasDeficit())
        if (!step())
          return false;
      if (appendFinalSequence(context, state, trace))
        return true;
      // Carries pairs that go back and forth between statements, all at equal
      // times.
    } while (carry(std::vector<bool>(size(), true)));
    return false;
  }

private:
  size_t size() const { return context.ranks.size(); }

  bool hasDeficit() const {
    for (unsigned s = 0; s < size(); ++s)
      if (state.getDeficit(s) > 0)
        return true;
    return false;
  }

  /// Returns a request for the statements of a block. The statements that lack
  /// the most rows need an independent row now.
  RowRequest makeRequest(const std::vector<bool> &within) const {
    RowRequest request;
    request.within = within;
    request.independent.assign(size(), false);
    unsigned most = 1;
    for (unsigned s = 0; s < size(); ++s)
      if (within[s])
        most = std::max(most, state.getDeficit(s));
    for (unsigned s = 0; s < size(); ++s)
      request.independent[s] = within[s] && state.getDeficit(s) == most;
    return request;
  }

  std::optional<SearchState::Rows>
  solve(const std::vector<bool> &within, bool allowNegative,
        llvm::ArrayRef<Distances> preferences) {
    RowRequest request = makeRequest(within);
    request.allowNegative = allowNegative;
    for (Distances distances : preferences) {
      request.demands = makeDemands(state, distances);
      if (auto rows = solveRow(context, state, request))
        return rows;
    }
    return std::nullopt;
  }

  /// Statements share a loop only if dependences between them have distance
  /// zero in it.
  static llvm::ArrayRef<Distances> fusedDistances() {
    static constexpr Distances zero[] = {Distances::Zero,
                                         Distances::ZeroButReductions};
    return zero;
  }

  /// Whether a live dependence leads from `from` to `to`.
  bool leads(const Group &from, const Group &to) const {
    return llvm::any_of(state.getLive(), [&](const LiveDependence &dependence) {
      return llvm::is_contained(from, dependence.source) &&
             llvm::is_contained(to, dependence.target);
    });
  }

  /// Returns one of the components that could come next, if it can share a row
  /// with the group; preferably one that depends on the group. Otherwise
  /// returns the end.
  std::vector<Group>::iterator findNext(const Group &group,
                                        std::vector<Group> &components) {
    for (bool dependent : {true, false})
      for (auto it = components.begin(); it != components.end(); ++it) {
        if (leads(group, *it) != dependent ||
            llvm::any_of(components, [&](const Group &other) {
              return &other != &*it && leads(other, *it);
            }))
          continue;
        std::vector<bool> joined(size(), false);
        for (const Group *part : {&group, static_cast<const Group *>(&*it)})
          for (unsigned s : *part)
            joined[s] = true;
        if (solve(joined, /*allowNegative=*/false, fusedDistances()))
          return it;
      }
    return components.end();
  }

  /// Groups components that can share a row.
  std::vector<Group> makeGroups(const std::vector<bool> &within) {
    std::vector<Group> groups, components = getComponents(state, within);
    while (!components.empty()) {
      Group &group = groups.emplace_back(std::move(components.front()));
      components.erase(components.begin());
      for (auto it = findNext(group, components); it != components.end();
           it = findNext(group, components)) {
        llvm::append_range(group, *it);
        components.erase(it);
      }
    }
    return groups;
  }

  Step decide(const std::vector<bool> &block) {
    if (auto rows = solve(block, /*allowNegative=*/false, fusedDistances()))
      return {Step::Row, std::move(*rows), {}};
    if (getComponents(state, block).size() > 1) {
      if (state.carriesSomething(block))
        return {Step::CutBand, {}, {}};
      std::vector<Group> groups = makeGroups(block);
      if (groups.size() > 1)
        return {Step::Split, {}, std::move(groups)};
    }
    static constexpr Distances near[] = {Distances::Near};
    if (auto rows = solve(block, /*allowNegative=*/false, near))
      return {Step::Row, std::move(*rows), {}};
    static constexpr Distances all[] = {
        Distances::Zero, Distances::ZeroButReductions, Distances::Near};
    if (auto rows = solve(block, /*allowNegative=*/true, all))
      return {Step::Row, std::move(*rows), {}};
    return {
        state.carriesSomething(block) ? Step::CutBand : Step::Stuck, {}, {}};
  }

  /// Adds one dimension, or ends a band.
  bool step() {
    std::vector<Step> steps;
    RowRequest everything;
    everything.within.assign(size(), true);
    std::vector<std::vector<bool>> blocks = makeBlocks(state, everything);
    for (const std::vector<bool> &block : blocks)
      steps.push_back(decide(block));
    auto anyIs = [&](Step::Kind kind) {
      return llvm::any_of(steps, [&](const Step &s) { return s.kind == kind; });
    };
    if (anyIs(Step::Stuck)) {
      std::vector<bool> stuck(size(), false);
      for (auto [block, step] : llvm::zip_equal(blocks, steps))
        for (unsigned s = 0; s < size(); ++s)
          if (block[s] && step.kind == Step::Stuck)
            stuck[s] = true;
      return carry(stuck);
    }
    if (anyIs(Step::CutBand)) {
      trace(state.getDepth(), "own row", "infeasible in this band: new band");
      state.cutBand();
      return true;
    }
    if (anyIs(Step::Split)) {
      split(steps);
      return true;
    }
    SearchState::Rows rows;
    for (unsigned s = 0; s < size(); ++s)
      for (auto [block, step] : llvm::zip_equal(blocks, steps))
        if (block[s])
          rows.push_back(step.rows[s]);
    size_t depth = state.getDepth();
    trace(depth, "own row", describeFound(state.appendLinear(rows)));
    return true;
  }

  /// Adds a row that carries as many dependences as possible, whether it is
  /// independent or not, as in Feautrier's algorithm. Returns false if it would
  /// carry none.
  bool carry(const std::vector<bool> &within) {
    state.cutBand();
    RowRequest request;
    request.within = within;
    request.independent.assign(size(), false);
    request.allowNegative = true;
    request.carry = true;
    for (const LiveDependence &dependence : state.getLive())
      request.demands.push_back(dependence.reduction ? Demand::Nothing
                                                     : Demand::Legal);
    std::optional<SearchState::Rows> rows = solveRow(context, state, request);
    trace(state.getDepth(), "own row",
          rows ? "no independent one: found one that carries" : "infeasible");
    if (!rows)
      return false;
    state.appendLinear(*rows);
    state.cutBand();
    return true;
  }

  void split(const std::vector<Step> &steps) {
    std::vector<unsigned> positions(size(), 0);
    for (const Step &step : steps)
      for (auto [position, group] : llvm::enumerate(step.groups))
        for (unsigned s : group)
          positions[s] = position;
    trace(state.getDepth(), "own row",
          "no row for all statements: sequence of " +
              std::to_string(1 + *llvm::max_element(positions)) + " groups");
    state.appendSequence(positions);
  }

  SearchContext &context;
  SearchState &state;
  Tracer trace;
};

} // namespace

bool complete(SearchContext &context, SearchState &state, Tracer trace) {
  return Completer(context, state, trace).run();
}

bool appendFinalSequence(SearchContext &context, SearchState &state,
                         Tracer trace) {
  state.cutBand();
  size_t size = context.ranks.size();
  const std::vector<unsigned> &classes = state.getClasses();
  std::vector<unsigned> positions(size, 0), next(size, 0);
  bool needed = false;
  for (const Group &component :
       getComponents(state, std::vector<bool>(size, true))) {
    if (component.size() > 1) {
      trace(state.getDepth(), "own sequence",
            "infeasible: dependences at equal times form a cycle");
      return false;
    }
    unsigned s = component.front();
    positions[s] = next[classes[s]]++;
    needed |= positions[s] > 0;
  }
  if (needed) {
    trace(state.getDepth(), "own sequence", "found");
    state.appendSequence(positions);
  }
  return true;
}

} // namespace grout::detail
