//===- LinearSystem.h - Small integer linear programs -----------*- C++ -*-===//
//
// Part of Grout. The lexicographic minimum of an integer linear program whose
// variables are not negative. isl solves what is left after substitution: built
// naively, programs of schedules are dominated by equalities (see
// docs/ConstraintScheduling.md).
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_SCHEDULING_LINEARSYSTEM_H
#define GROUT_LIB_SCHEDULING_LINEARSYSTEM_H

#include "Integers.h"
#include <optional>

namespace grout::detail {

class LinearSystem {
public:
  /// `numVariables` variables >= 0.
  LinearSystem(isl::ctx ctx, unsigned numVariables)
      : ctx(ctx), numVariables(numVariables) {}

  /// The form zero.
  LinearForm makeForm() const { return LinearForm(numVariables + 1, 0); }

  void addEquality(LinearForm form) { equalities.push_back(std::move(form)); }
  void addInequality(LinearForm form) {
    inequalities.push_back(std::move(form));
  }
  /// Not all of these forms may be zero.
  void addNonZero(std::vector<LinearForm> forms) {
    nonZeros.push_back(std::move(forms));
  }
  /// Minimised after those added before, and before the variables, which are
  /// minimised in their order.
  void addObjective(LinearForm form) { objectives.push_back(std::move(form)); }

  /// The minimum, or nothing if the system is infeasible. Exact, but for two
  /// things that keep it fast: parts that share no constraint are minimised one
  /// by one, where variables that substitution removed do not count as
  /// objectives of their own; and where forms that may not be zero need many
  /// branches, the search ends with the best solution so far.
  std::optional<std::vector<int64_t>> solve() const;

private:
  struct Elimination {
    unsigned variable;
    LinearForm value;
  };
  struct Part;

  /// Substitutes, and drops what is redundant; false if infeasible.
  bool simplify(std::vector<Elimination> &eliminations);
  bool simplifyEqualities(std::vector<Elimination> &eliminations);
  bool simplifyInequalities();
  void substitute(unsigned variable, const LinearForm &value);

  /// The parts of a simplified system that share no variable.
  std::vector<Part> split(const std::vector<bool> &eliminated) const;

  /// Solves a simplified system in one go.
  std::optional<std::vector<int64_t>> solvePart() const;
  std::optional<std::vector<int64_t>> solveByIsl() const;
  isl::basic_set toIsl() const;
  struct Search;
  void branch(Search &search) const;
  bool isZeroOptimal() const;
  /// The objectives and the variables, in order.
  std::vector<int64_t> costOf(const std::vector<int64_t> &values) const;

  isl::ctx ctx;
  unsigned numVariables;
  std::vector<LinearForm> equalities, inequalities, objectives;
  std::vector<std::vector<LinearForm>> nonZeros;
  /// How many values of the first objective to try before isl searches.
  unsigned attempts = 2;
};

/// A part of a system, and which variables of the whole its variables are.
struct LinearSystem::Part {
  LinearSystem system;
  std::vector<unsigned> variables;
};

} // namespace grout::detail

#endif // GROUT_LIB_SCHEDULING_LINEARSYSTEM_H
