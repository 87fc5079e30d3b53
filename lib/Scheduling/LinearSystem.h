//===- LinearSystem.h - Small integer linear programs -----------*- C++ -*-===//
//
// Part of Grout. Computes the lexicographic minimum of an integer linear
// program whose variables are not negative. isl solves the program that remains
// after substitution. If programs of schedules are built naively, most of their
// constraints are equalities (see docs/ConstraintScheduling.md).
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_SCHEDULING_LINEARSYSTEM_H
#define GROUT_LIB_SCHEDULING_LINEARSYSTEM_H

#include "Integers.h"
#include <optional>

namespace grout::detail {

class LinearSystem {
public:
  /// Creates a system of `numVariables` variables >= 0.
  LinearSystem(isl::ctx ctx, unsigned numVariables)
      : ctx(ctx), numVariables(numVariables) {}

  /// Returns the form zero.
  LinearForm makeForm() const { return LinearForm(numVariables + 1, 0); }

  void addEquality(LinearForm form) { equalities.push_back(std::move(form)); }
  void addInequality(LinearForm form) {
    inequalities.push_back(std::move(form));
  }
  /// Requires that not all of these forms are zero.
  void addNonZero(std::vector<LinearForm> forms) {
    nonZeros.push_back(std::move(forms));
  }
  /// Adds an objective. It is minimised after those added before, and before
  /// the variables, which are minimised in their order.
  void addObjective(LinearForm form) { objectives.push_back(std::move(form)); }

  /// Returns the minimum, or nothing if the system is infeasible. The result is
  /// exact, with two exceptions that keep this fast:
  ///
  /// - Parts that share no constraint are minimised one by one. Variables that
  ///   substitution removed do not count as objectives of their own then.
  ///
  /// - If forms that may not be zero need many branches, the search ends with
  ///   the best solution so far.
  std::optional<std::vector<int64_t>> solve() const;

private:
  struct Elimination {
    unsigned variable;
    LinearForm value;
  };
  struct Part;

  /// Substitutes variables, and drops redundant constraints. Returns false if
  /// the system is infeasible.
  bool simplify(std::vector<Elimination> &eliminations);
  bool simplifyEqualities(std::vector<Elimination> &eliminations);
  bool simplifyInequalities();
  void substitute(unsigned variable, const LinearForm &value);

  /// Splits a simplified system into parts that share no variable.
  std::vector<Part> split(const std::vector<bool> &eliminated) const;

  /// Solves a simplified system without splitting it.
  std::optional<std::vector<int64_t>> solvePart() const;
  std::optional<std::vector<int64_t>> solveByIsl() const;
  isl::basic_set toIsl() const;
  struct Search;
  void branch(Search &search) const;
  bool isZeroOptimal() const;
  /// Returns the values of the objectives, and then those of the variables.
  std::vector<int64_t> costOf(const std::vector<int64_t> &values) const;

  isl::ctx ctx;
  unsigned numVariables;
  std::vector<LinearForm> equalities, inequalities, objectives;
  std::vector<std::vector<LinearForm>> nonZeros;
  /// How many values of the first objective are tried before isl searches.
  unsigned attempts = 2;
};

/// A part of a system; and, for each of its variables, the variable of the
/// whole system.
struct LinearSystem::Part {
  LinearSystem system;
  std::vector<unsigned> variables;
};

} // namespace grout::detail

#endif // GROUT_LIB_SCHEDULING_LINEARSYSTEM_H
