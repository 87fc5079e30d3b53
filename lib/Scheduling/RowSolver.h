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

/// The condition that a row must satisfy for a live dependence.
enum class Demand {
  Nothing,
  /// No distance may be negative.
  Legal,
  /// No distance may be negative, and the greatest distance should be small.
  Near,
  /// All distances must be zero.
  Zero,
};

/// The conditions on a row that the solver should find.
struct RowRequest {
  /// The statements that take part. Other statements get a row of zeros.
  std::vector<bool> within;
  std::vector<RowCondition> conditions;
  /// Statements whose row must be linearly independent of their earlier rows.
  std::vector<bool> independent;
  /// The demand on each live dependence. Those that leave `within` are ignored.
  std::vector<Demand> demands;
  /// Whether coefficients may be negative.
  bool allowNegative = false;
  /// Whether the first objective is to carry as many as possible of the
  /// demanded dependences, and at least one. The parts of their relations are
  /// counted.
  bool carry = false;
};

/// Returns the row that minimises, one after another: the number of parts of
/// dependences that are not carried, if that is requested; the greatest
/// distance of Near dependences; the sum of absolute coefficients; the sum of
/// absolute constants; and the coefficients, those of innermost iterators
/// first, so that outer iterators are preferred. Returns nothing if there is no
/// such row.
std::optional<SearchState::Rows> solveRow(SearchContext &context,
                                          const SearchState &state,
                                          const RowRequest &request);

/// The distances that a row may have, from the most parallel kind on.
enum class Distances {
  /// Distance zero for every live dependence.
  Zero,
  /// Distance zero for every live dependence that is not of a reduction.
  ZeroButReductions,
  /// No negative distances, and small ones.
  Near,
};

/// Returns the demands of `distances` on each live dependence.
std::vector<Demand> makeDemands(const SearchState &state, Distances distances);

/// Joins the statements of `request` that have to be solved together: those
/// that live dependences and conditions connect. The blocks are in the order of
/// their first statements.
std::vector<std::vector<bool>> makeBlocks(const SearchState &state,
                                          const RowRequest &request);

} // namespace grout::detail

#endif // GROUT_LIB_SCHEDULING_ROWSOLVER_H
