//===- RowSolver.cpp - One dimension by integer programming ---------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "RowSolver.h"

#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/STLExtras.h"

namespace grout::detail {
namespace {

/// Returns the basic relations of which the pairs consist.
std::vector<isl::map> getParts(const isl::map &pairs) {
  std::vector<isl::map> parts;
  isl::manage(isl_map_make_disjoint(pairs.copy()))
      .foreach_basic_map(
          [&](const isl::basic_map &part) { parts.emplace_back(part); });
  return parts;
}

/// Builds the program of a row. Its variables are: the greatest distance, if
/// that is minimised; whether parts of dependences are carried, if that is
/// requested; and then those of each coefficient.
class RowProgram {
public:
  RowProgram(SearchContext &context, const SearchState &state,
             const RowRequest &request)
      : context(context), state(state), request(request),
        bounded(llvm::is_contained(request.demands, Demand::Near)),
        parts(findParts()), system(context.getIslContext(), countVariables()) {
    addCarrying();
    addObjectives();
    for (const RowCondition &condition : request.conditions)
      if (concerns(condition))
        add(condition);
    for (auto [dependence, demand] :
         llvm::zip_equal(state.getLive(), request.demands))
      if (request.within[dependence.source] &&
          request.within[dependence.target])
        add(dependence, demand);
    for (unsigned s = 0; s < context.ranks.size(); ++s)
      if (request.within[s] && request.independent[s])
        addIndependence(s);
  }

  std::optional<SearchState::Rows> solve() const {
    std::optional<std::vector<int64_t>> values = system.solve();
    if (!values)
      return std::nullopt;
    SearchState::Rows rows;
    for (unsigned s = 0; s < context.ranks.size(); ++s) {
      ScheduleRow &row = rows.emplace_back(context.ranks[s] + 1, 0);
      if (request.within[s])
        for (unsigned i = 0; i < row.size(); ++i) {
          LinearForm form = system.makeForm();
          addCoefficient(form, s, i, 1);
          row[i] = evaluate(form, *values);
        }
    }
    return rows;
  }

private:
  unsigned perCoefficient() const { return request.allowNegative ? 2 : 1; }

  unsigned countVariables() {
    unsigned next = (bounded ? 1 : 0) + parts.size();
    for (unsigned s = 0; s < context.ranks.size(); ++s) {
      firstOf.push_back(next);
      if (request.within[s])
        next += (context.ranks[s] + 1) * perCoefficient();
    }
    return next;
  }

  /// Returns the variable of a coefficient. Variables of inner iterators come
  /// first, and that of the constant last. A coefficient of either sign is the
  /// difference of this variable and the next.
  unsigned variableOf(unsigned statement, unsigned position) const {
    unsigned rank = context.ranks[statement];
    unsigned place = position == rank ? rank : rank - 1 - position;
    return firstOf[statement] + place * perCoefficient();
  }

  void addCoefficient(LinearForm &form, unsigned statement, unsigned position,
                      int64_t factor) const {
    unsigned variable = variableOf(statement, position);
    if (request.allowNegative) {
      // The negative part comes first, so that it is minimised first.
      form[variable] = narrow(static_cast<Wide>(form[variable]) - factor);
      ++variable;
    }
    form[variable] = narrow(static_cast<Wide>(form[variable]) + factor);
  }

  /// Splits dependences into parts, each of which becomes a dependence of its
  /// own.
  std::vector<LiveDependence> findParts() {
    std::vector<LiveDependence> result;
    for (auto [dependence, demand] :
         llvm::zip_equal(state.getLive(), request.demands)) {
      if (!request.carry || demand == Demand::Nothing ||
          !request.within[dependence.source] ||
          !request.within[dependence.target])
        continue;
      for (const isl::map &pairs : getParts(unwrap(dependence.pairs))) {
        LiveDependence &part = result.emplace_back(dependence);
        part.pairs = wrap(context.problem.getContext(), pairs);
        part.cone = context.cones.get(pairs, dependence.cone->ofDifference);
      }
    }
    return result;
  }

  /// Adds a variable for each part. It can only be 1 if the distance is at
  /// least 1.
  void addCarrying() {
    LinearForm carried = system.makeForm();
    unsigned variable = bounded ? 1 : 0;
    for (const LiveDependence &part : parts) {
      for (const LinearForm &row : part.cone->rows) {
        LinearForm form = makeForm(part, row, 1, 0);
        // The constant of the function, minus the variable.
        form[variable] = -row[0];
        system.addInequality(std::move(form));
      }
      LinearForm atMostOne = system.makeForm();
      atMostOne[variable] = -1;
      atMostOne.back() = 1;
      system.addInequality(std::move(atMostOne));
      carried[variable++] = -1;
    }
    if (!request.carry)
      return;
    LinearForm atLeastOne = system.makeForm();
    for (unsigned i = 0; i < variable; ++i)
      atLeastOne[i] = -carried[i];
    atLeastOne.back() = -1;
    system.addInequality(std::move(atLeastOne));
    system.addObjective(std::move(carried));
  }

  void addObjectives() {
    LinearForm factors = system.makeForm(), constants = system.makeForm();
    for (unsigned s = 0; s < context.ranks.size(); ++s)
      for (unsigned i = 0; request.within[s] && i <= context.ranks[s]; ++i)
        for (unsigned part = 0; part < perCoefficient(); ++part)
          (i == context.ranks[s] ? constants
                                 : factors)[variableOf(s, i) + part] = 1;
    if (bounded) {
      LinearForm distance = system.makeForm();
      distance[0] = 1;
      system.addObjective(std::move(distance));
    }
    system.addObjective(std::move(factors));
    system.addObjective(std::move(constants));
  }

  /// Whether a condition is about these statements. Statements that a condition
  /// connects are solved together. A condition without terms is true or false.
  bool concerns(const RowCondition &condition) const {
    return condition.terms.empty() ||
           request.within[condition.terms.front().statement];
  }

  void add(const RowCondition &condition) {
    LinearForm form = system.makeForm();
    form.back() = condition.constant;
    for (const RowCondition::Term &term : condition.terms)
      addCoefficient(form, term.statement, term.position, term.factor);
    if (condition.equality)
      system.addEquality(std::move(form));
    else
      system.addInequality(std::move(form));
  }

  /// Returns row * z for a row of the cone, where z is the function `sign` *
  /// (target - source) + `bound` * greatest distance.
  LinearForm makeForm(const LiveDependence &dependence, const LinearForm &row,
                      int sign, int bound) const {
    LinearForm form = system.makeForm();
    unsigned rank = context.ranks[dependence.source], next = 1;
    if (!dependence.cone->ofDifference) {
      addCoefficient(form, dependence.source, rank, -sign * row[0]);
      addCoefficient(form, dependence.target, context.ranks[dependence.target],
                     sign * row[0]);
      for (unsigned i = 0; i < rank; ++i)
        addCoefficient(form, dependence.source, i, -sign * row[next++]);
    }
    for (unsigned i = 0; i < context.ranks[dependence.target]; ++i)
      addCoefficient(form, dependence.target, i, sign * row[next++]);
    if (bound != 0)
      form[0] = row[0];
    return form;
  }

  void add(const LiveDependence &dependence, Demand demand) {
    switch (demand) {
    case Demand::Nothing:
      return;
    case Demand::Zero:
      for (const LinearForm &row : dependence.cone->zeroRows)
        system.addEquality(makeForm(dependence, row, 1, 0));
      return;
    case Demand::Near:
      for (const LinearForm &row : dependence.cone->rows)
        system.addInequality(makeForm(dependence, row, -1, 1));
      [[fallthrough]];
    case Demand::Legal:
      for (const LinearForm &row : dependence.cone->rows)
        system.addInequality(makeForm(dependence, row, 1, 0));
      return;
    }
  }

  /// Requires an independent row. The row is independent iff some vector
  /// orthogonal to the earlier rows is not orthogonal to it.
  void addIndependence(unsigned s) {
    unsigned rank = context.ranks[s];
    std::vector<LinearForm> forms;
    bool positive = !request.allowNegative;
    for (const LinearForm &vector : nullBasis(state.getBasis(s), rank)) {
      LinearForm &form = forms.emplace_back(system.makeForm());
      for (unsigned i = 0; i < rank; ++i) {
        addCoefficient(form, s, i, vector[i]);
        positive &= vector[i] >= 0;
      }
    }
    LinearForm sum = system.makeForm();
    sum.back() = -1;
    if (positive) {
      // If no form can be negative, one inequality is enough.
      for (const LinearForm &form : forms)
        for (unsigned i = 0; i + 1 < form.size(); ++i)
          sum[i] = narrow(static_cast<Wide>(sum[i]) + form[i]);
    } else {
      // This is implied, but helps the search.
      for (unsigned i = 0; i < rank * perCoefficient(); ++i)
        sum[firstOf[s] + i] = 1;
      system.addNonZero(std::move(forms));
    }
    system.addInequality(std::move(sum));
  }

  SearchContext &context;
  const SearchState &state;
  const RowRequest &request;
  bool bounded;
  std::vector<LiveDependence> parts;
  std::vector<unsigned> firstOf;
  LinearSystem system;
};

} // namespace

std::optional<SearchState::Rows> solveRow(SearchContext &context,
                                          const SearchState &state,
                                          const RowRequest &request) {
  return RowProgram(context, state, request).solve();
}

std::vector<Demand> makeDemands(const SearchState &state, Distances distances) {
  std::vector<Demand> demands;
  for (const LiveDependence &dependence : state.getLive())
    if (distances == Distances::Zero)
      demands.push_back(Demand::Zero);
    else if (dependence.reduction)
      demands.push_back(Demand::Nothing);
    else
      demands.push_back(distances == Distances::Near ? Demand::Near
                                                     : Demand::Zero);
  return demands;
}

std::vector<std::vector<bool>> makeBlocks(const SearchState &state,
                                          const RowRequest &request) {
  size_t size = request.within.size();
  llvm::EquivalenceClasses<unsigned> classes;
  for (unsigned s = 0; s < size; ++s)
    if (request.within[s])
      classes.insert(s);
  for (const LiveDependence &dependence : state.getLive())
    if (request.within[dependence.source] && request.within[dependence.target])
      classes.unionSets(dependence.source, dependence.target);
  for (const RowCondition &condition : request.conditions)
    for (const RowCondition::Term &term : condition.terms)
      classes.unionSets(condition.terms.front().statement, term.statement);
  std::vector<std::vector<bool>> blocks;
  std::vector<size_t> blockOf(size, SIZE_MAX);
  for (unsigned s = 0; s < size; ++s) {
    if (!request.within[s])
      continue;
    size_t &block = blockOf[classes.getLeaderValue(s)];
    if (block == SIZE_MAX) {
      block = blocks.size();
      blocks.emplace_back(size, false);
    }
    blocks[block][s] = true;
  }
  return blocks;
}

} // namespace grout::detail
