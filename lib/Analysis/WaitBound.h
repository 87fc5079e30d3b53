//===- WaitBound.h - The best known end of a box ----------------*- C++ -*-===//
//
// Part of Grout. For lib/Analysis only.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_ANALYSIS_WAITBOUND_H
#define GROUT_LIB_ANALYSIS_WAITBOUND_H

#include "grout/Isl/AffineConversion.h"
#include "grout/Isl/AffineSets.h"

namespace grout::detail {

/// The tightest known bound, from one side, of the semaphores for which a
/// consumer's steps wait, in one dimension. Values are compared after they are
/// clamped to [0, last].
class Bound {
public:
  /// Starts with the end of the array. `trivial` is an expression for it.
  Bound(isl::set steps, isl::pw_aff last, bool isLower,
        mlir::AffineExpr trivial)
      : steps(std::move(steps)), last(std::move(last)), isLower(isLower),
        best(trivial),
        bestValue(isLower ? getValue(trivial)
                          : this->last.intersect_domain(this->steps)) {}

  /// Replaces the bound by `expr`, a bound, if that is tighter at some point,
  /// and looser at none.
  void addBound(mlir::AffineExpr expr) {
    isl::pw_aff value = getValue(expr);
    if (!differs(value, bestValue).is_empty() &&
        differs(bestValue, value).is_empty()) {
      best = expr;
      bestValue = value;
    }
  }

  /// Does the same if it is not known whether `expr` is a bound of `exact`.
  void tryBound(mlir::AffineExpr expr, const isl::pw_aff &exact) {
    if (differs(getValue(expr), exact).is_empty())
      addBound(expr);
  }

  mlir::AffineExpr get() const { return best; }

private:
  isl::pw_aff getValue(mlir::AffineExpr expr) const {
    isl::space space = steps.space();
    return isl::pw_aff(toAff(expr, space, getDims(space)))
        .intersect_domain(steps);
  }

  /// Returns where `one`, clamped, is inside of `other`, clamped.
  isl::set differs(const isl::pw_aff &one, const isl::pw_aff &other) const {
    isl::pw_aff zero = steps.space().zero_aff_on_domain();
    if (isLower)
      return one.gt_set(other)
          .intersect(one.gt_set(zero))
          .intersect(other.lt_set(last));
    return one.lt_set(other)
        .intersect(one.lt_set(last))
        .intersect(other.gt_set(zero));
  }

  isl::set steps;
  isl::pw_aff last;
  bool isLower;
  mlir::AffineExpr best;
  isl::pw_aff bestValue;
};

/// Improves `lower` and `upper` by lines along one dimension of `coordinate`, {
/// [tile..., step] -> [coordinate] }, which has no parameters.
void addLines(const isl::map &coordinate, mlir::MLIRContext *mlirContext,
              Bound &lower, Bound &upper);

} // namespace grout::detail

#endif // GROUT_LIB_ANALYSIS_WAITBOUND_H
