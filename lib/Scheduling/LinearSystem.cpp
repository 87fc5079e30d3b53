//===- LinearSystem.cpp - Small integer linear programs -------------------===//
//
// Part of Grout. SimplifyLinearSystem.cpp has the substitutions.
//
//===----------------------------------------------------------------------===//

#include "LinearSystem.h"

#include "Instances.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/STLExtras.h"
#include <isl/ilp.h>
#include <isl/lp.h>
#include <isl/mat.h>
#include <isl/set.h>
#include <isl/space.h>
#include <isl/val.h>

namespace grout::detail {

std::optional<std::vector<int64_t>> LinearSystem::solve() const {
  LinearSystem rest = *this;
  std::vector<Elimination> eliminations;
  if (!rest.simplify(eliminations))
    return std::nullopt;
  std::vector<bool> eliminated(numVariables, false);
  for (const Elimination &elimination : eliminations)
    eliminated[elimination.variable] = true;

  std::vector<int64_t> values(numVariables, 0);
  for (const Part &part : rest.split(eliminated)) {
    std::optional<std::vector<int64_t>> solution = part.system.solvePart();
    if (!solution)
      return std::nullopt;
    for (auto [variable, value] : llvm::zip_equal(part.variables, *solution))
      values[variable] = value;
  }
  // A variable's value may use variables that were eliminated after it.
  for (const Elimination &elimination : llvm::reverse(eliminations))
    values[elimination.variable] = evaluate(elimination.value, values);
  return values;
}

std::vector<LinearSystem::Part>
LinearSystem::split(const std::vector<bool> &eliminated) const {
  llvm::EquivalenceClasses<unsigned> classes;
  for (unsigned i = 0; i < numVariables; ++i)
    if (!eliminated[i])
      classes.insert(i);
  // Join the variables of all forms of a group.
  auto join = [&](llvm::ArrayRef<LinearForm> forms) {
    std::optional<unsigned> first;
    for (const LinearForm &form : forms)
      for (unsigned i = 0; i < numVariables; ++i)
        if (form[i] != 0) {
          classes.unionSets(first.value_or(i), i);
          first = first.value_or(i);
        }
  };
  for (const LinearForm &form : equalities)
    join(form);
  for (const LinearForm &form : inequalities)
    join(form);
  for (const std::vector<LinearForm> &forms : nonZeros)
    join(forms);

  // Parts in the order of their first variables.
  std::vector<Part> parts;
  std::vector<unsigned> partOf(numVariables, 0), positionOf(numVariables, 0);
  std::vector<bool> started(numVariables, false);
  for (unsigned i = 0; i < numVariables; ++i) {
    if (eliminated[i])
      continue;
    unsigned leader = classes.getLeaderValue(i);
    if (!started[leader]) {
      started[leader] = true;
      partOf[leader] = parts.size();
      parts.push_back(Part{LinearSystem(ctx, 0), {}});
    }
    partOf[i] = partOf[leader];
    positionOf[i] = parts[partOf[i]].variables.size();
    parts[partOf[i]].variables.push_back(i);
  }
  for (Part &part : parts) {
    part.system.numVariables = part.variables.size();
    part.system.attempts = attempts;
  }

  auto project = [&](const Part &part, const LinearForm &form) {
    LinearForm result = part.system.makeForm();
    for (auto [position, variable] : llvm::enumerate(part.variables))
      result[position] = form[variable];
    result.back() = form.back();
    return result;
  };
  auto partWith = [&](const LinearForm &form) -> Part * {
    for (unsigned i = 0; i < numVariables; ++i)
      if (form[i] != 0)
        return &parts[partOf[i]];
    return nullptr;
  };
  for (const LinearForm &form : equalities)
    if (Part *part = partWith(form))
      part->system.addEquality(project(*part, form));
  for (const LinearForm &form : inequalities)
    if (Part *part = partWith(form))
      part->system.addInequality(project(*part, form));
  for (const std::vector<LinearForm> &forms : nonZeros) {
    Part *part = nullptr;
    std::vector<LinearForm> projected;
    for (const LinearForm &form : forms)
      part = part ? part : partWith(form);
    for (const LinearForm &form : forms)
      projected.push_back(project(*part, form));
    part->system.addNonZero(std::move(projected));
  }
  for (const LinearForm &form : objectives)
    for (Part &part : parts) {
      LinearForm projected = project(part, form);
      projected.back() = 0;
      if (llvm::any_of(projected, [](int64_t value) { return value != 0; }))
        part.system.addObjective(std::move(projected));
    }
  return parts;
}

//===----------------------------------------------------------------------===//
// One part
//===----------------------------------------------------------------------===//

std::vector<int64_t>
LinearSystem::costOf(const std::vector<int64_t> &values) const {
  std::vector<int64_t> cost;
  for (const LinearForm &form : objectives)
    cost.push_back(evaluate(form, values));
  cost.insert(cost.end(), values.begin(), values.end());
  return cost;
}

/// The best solution so far of a branch and bound.
struct LinearSystem::Search {
  /// Each branch costs a solution; programs of schedules need a handful.
  unsigned branchesLeft = 200;
  std::optional<std::vector<int64_t>> best;
};

std::optional<std::vector<int64_t>> LinearSystem::solvePart() const {
  if (nonZeros.empty())
    return isZeroOptimal() ? std::vector<int64_t>(numVariables, 0)
                           : solveByIsl();
  Search search;
  branch(search);
  return search.best;
}

void LinearSystem::branch(Search &search) const {
  LinearSystem relaxed = *this;
  relaxed.nonZeros.clear();
  std::optional<std::vector<int64_t>> solution = relaxed.solve();
  if (!solution || (search.best && !(costOf(*solution) < costOf(*search.best))))
    return;
  auto violated = llvm::find_if(nonZeros, [&](const auto &forms) {
    return llvm::all_of(forms, [&](const LinearForm &form) {
      return evaluate(form, *solution) == 0;
    });
  });
  if (violated == nonZeros.end()) {
    search.best = std::move(solution);
    return;
  }
  // Branch over which form is the first that is not zero, and over its sign.
  for (size_t first = 0; first < violated->size(); ++first)
    for (int sign : {1, -1}) {
      if (search.branchesLeft == 0)
        return;
      --search.branchesLeft;
      LinearSystem child = *this;
      child.nonZeros.erase(child.nonZeros.begin() +
                           (violated - nonZeros.begin()));
      for (size_t i = 0; i < first; ++i)
        child.addEquality((*violated)[i]);
      LinearForm form = (*violated)[first];
      for (int64_t &factor : form)
        factor *= sign;
      form.back() = narrow(static_cast<Wide>(form.back()) - 1);
      child.addInequality(std::move(form));
      child.branch(search);
    }
}

bool LinearSystem::isZeroOptimal() const {
  auto constantsAre = [](const std::vector<LinearForm> &forms, auto holds) {
    return llvm::all_of(
        forms, [&](const LinearForm &form) { return holds(form.back()); });
  };
  bool noneNegative = llvm::all_of(objectives, [&](const LinearForm &form) {
    return llvm::none_of(llvm::ArrayRef(form).drop_back(),
                         [](int64_t factor) { return factor < 0; });
  });
  return noneNegative &&
         constantsAre(equalities, [](int64_t value) { return value == 0; }) &&
         constantsAre(inequalities, [](int64_t value) { return value >= 0; });
}

/// Returns a matrix of isl: a column for the constant, then one for each
/// variable.
static isl_mat *toMatrix(isl_ctx *ctx, const std::vector<LinearForm> &rows,
                         size_t numVariables) {
  isl_mat *matrix = isl_mat_alloc(ctx, rows.size(), numVariables + 1);
  for (auto [r, row] : llvm::enumerate(rows))
    for (auto [c, value] : llvm::enumerate(row)) {
      size_t column = c == numVariables ? 0 : c + 1;
      if (value >= INT32_MIN && value <= INT32_MAX)
        matrix = isl_mat_set_element_si(matrix, r, column, value);
      else
        matrix = isl_mat_set_element_val(matrix, r, column,
                                         isl_val_int_from_si(ctx, value));
    }
  return matrix;
}

isl::basic_set LinearSystem::toIsl() const {
  isl_ctx *raw = isl::ctx(ctx).get();
  std::vector<LinearForm> atLeast = inequalities;
  for (unsigned i = 0; i < numVariables; ++i) {
    atLeast.push_back(makeForm());
    atLeast.back()[i] = 1;
  }
  return isl::manage(isl_basic_set_from_constraint_matrices(
      isl_space_set_alloc(raw, 0, numVariables),
      toMatrix(raw, equalities, numVariables),
      toMatrix(raw, atLeast, numVariables), isl_dim_cst, isl_dim_param,
      isl_dim_set, isl_dim_div));
}

std::optional<std::vector<int64_t>> LinearSystem::solveByIsl() const {
  // isl's own lexicographic minimum is a single call. But its cuts may take
  // seconds for a dozen variables, or no time, depending on how constraints are
  // written. Minimising one objective at a time is reliable, and each objective
  // that is fixed simplifies the rest. The integer minimum is often the
  // rational one rounded up, or little more. Trying these values is cheaper
  // than asking isl.
  LinearSystem rest = *this;
  rest.attempts = 1;
  LinearForm objective = makeForm();
  if (!objectives.empty()) {
    objective = objectives.front();
    rest.objectives.erase(rest.objectives.begin());
  } else {
    objective.front() = 1;
  }
  auto minus = [&](int64_t value) {
    LinearForm form = objective;
    form.back() = narrow(static_cast<Wide>(form.back()) - value);
    return form;
  };
  auto solveAt = [&](int64_t minimum) {
    LinearSystem fixed = rest;
    fixed.addEquality(minus(minimum));
    return fixed.solve();
  };

  LinearSystem above = *this;
  isl::aff function;
  for (unsigned attempt = 0; attempt < attempts; ++attempt) {
    isl::basic_set feasible = above.toIsl();
    function = addRow(isl::manage(isl_aff_zero_on_domain_space(
                          isl_basic_set_get_space(feasible.get()))),
                      objective, 0, 1);
    isl::val bound =
        isl::manage(isl_basic_set_min_lp_val(feasible.get(), function.get()));
    if (bound.is_nan())
      return std::nullopt;
    int64_t rounded = toInt64(bound.ceil());
    if (auto solution = solveAt(rounded))
      return solution;
    above.addInequality(minus(narrow(static_cast<Wide>(rounded) + 1)));
  }
  // The search is expensive, so it pays to remove redundant constraints first.
  isl::set feasible = isl::manage(isl_set_from_basic_set(
      isl_basic_set_remove_redundancies(above.toIsl().release())));
  isl::val minimum =
      isl::manage(isl_set_min_val(feasible.get(), function.get()));
  if (minimum.is_nan())
    return std::nullopt;
  return solveAt(toInt64(minimum));
}

} // namespace grout::detail
