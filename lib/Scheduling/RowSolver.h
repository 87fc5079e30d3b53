//===- RowSolver.h - One dimension by integer programming -------*- C++ -*-===//
//
// Part of Grout. For lib/Scheduling only.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_SCHEDULING_ROWSOLVER_H
#define GROUT_LIB_SCHEDULING_ROWSOLVER_H

#include "LinearSystem.h"
#include "SearchState.h"

namespace grout::detail {

/// An affine condition on coefficients of the row.
struct RowCondition {
  struct Term {
    int64_t factor;
    unsigned statement, position;
  };
  std::vector<Term> terms;
  int64_t constant;
  bool equality;
};

/// What a row has to do about a live dependence.
enum class Demand {
  Nothing,
  /// No distance is negative.
  Legal,
  /// The same, and the greatest distance is to be small.
  Near,
  /// All distances are zero.
  Zero,
};

/// A row to solve for.
struct RowRequest {
  /// The statements that take part; the others get a row of zeros.
  std::vector<bool> within;
  std::vector<RowCondition> conditions;
  /// Statements whose row must be linearly independent of those before.
  std::vector<bool> independent;
  /// For each live dependence; those that leave `within` are ignored.
  std::vector<Demand> demands;
  /// Coefficients may be negative.
  bool allowNegative = false;
  /// First of all carry as many of the demanded dependences as possible,
  /// counting the parts of their relations, and at least one.
  bool carry = false;
};

/// The row that minimises, in turn: the number of parts of dependences that are
/// not carried, if that is asked for; the greatest distance of Near ones,
/// the sum of absolute coefficients, the sum of absolute constants, and the
/// coefficients themselves, innermost iterators first, so that outer ones are
/// preferred. Nothing if there is none.
std::optional<SearchState::Rows> solveRow(SearchContext &context,
                                          const SearchState &state,
                                          const RowRequest &request);

/// How hard a row is tried to be parallel.
enum class Distances {
  /// Distance zero for every live dependence.
  Zero,
  /// The same, but for those of reductions.
  ZeroButReductions,
  /// Legal, and near.
  Near,
};

/// The demands of `distances` on each live dependence.
std::vector<Demand> makeDemands(const SearchState &state, Distances distances);

/// Joins what `request` has to solve together: live dependences and conditions
/// connect statements. In the order of their first statements.
std::vector<std::vector<bool>> makeBlocks(const SearchState &state,
                                          const RowRequest &request);

} // namespace grout::detail

#endif // GROUT_LIB_SCHEDULING_ROWSOLVER_H
