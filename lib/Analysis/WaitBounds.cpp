//===- WaitBounds.cpp - Affine bounds of the semaphores of a wait ---------===//
//
// Part of Grout.
//
// Bounds come from three sources. The constraints of a convex hull are bounds
// by construction and cheap. isl's closed forms of the least and the greatest
// semaphore are exact but piecewise, and can be dear; each piece is tried as a
// bound for all points. Lines (WaitLines.cpp) are bounds by construction, too,
// if seldom exact.
//
//===----------------------------------------------------------------------===//

#include "PolicySupport.h"
#include "WaitBound.h"
#include <isl/aff.h>
#include <isl/constraint.h>

using namespace mlir;

namespace grout::detail {
namespace {

/// The most isl operations for closed forms.
constexpr uint64_t maxPieceOperations = 20'000;

/// The most isl operations for the lines of a dimension.
constexpr uint64_t maxLineOperations = 200'000;

/// The most isl operations to find out whether boxes are exact.
constexpr uint64_t maxExactOperations = 20'000;

/// Adds bounds of the last dimension of `hull`, { [step -> [coordinate]] },
/// from its constraints.
void addConstraints(const isl::basic_set &hull, MLIRContext *mlirContext,
                    Bound &lower, Bound &upper) {
  int out = isl_basic_set_dim(hull.get(), isl_dim_set) - 1;
  isl_constraint_list *list = isl_basic_set_get_constraint_list(hull.get());
  int size = isl_constraint_list_n_constraint(list);
  std::vector<std::pair<isl::aff, bool>> constraints;
  for (int i = 0; i < size; ++i) {
    isl_constraint *constraint = isl_constraint_list_get_constraint(list, i);
    constraints.push_back(
        {isl::manage(isl_constraint_get_aff(constraint)),
         isl_bool_true == isl_constraint_is_equality(constraint)});
    isl_constraint_free(constraint);
  }
  isl_constraint_list_free(list);

  for (auto &[aff, isEquality] : constraints) {
    int64_t factor = toInt64(
        isl::manage(isl_aff_get_coefficient_val(aff.get(), isl_dim_in, out)));
    if (factor == 0)
      continue;
    aff = isl::manage(
        isl_aff_set_coefficient_si(aff.release(), isl_dim_in, out, 0));
    if (isl_bool_false != isl_aff_involves_dims(aff.get(), isl_dim_in, out, 1))
      continue; // the coordinate is inside a division
    // The constraint is factor * coordinate + rest >= 0.
    llvm::Expected<AffineExpr> rest = toAffineExpr(aff.get(), mlirContext);
    if (!rest) {
      llvm::consumeError(rest.takeError());
      continue;
    }
    int64_t divisor = std::abs(factor);
    auto bound = [&](AffineExpr numerator) {
      return simplifyAffineExpr(numerator, out, 0).floorDiv(divisor);
    };
    AffineExpr positive = factor > 0 ? *rest : -*rest;
    if (factor > 0 || isEquality)
      lower.addBound(bound(-positive + (divisor - 1)));
    if (factor < 0 || isEquality)
      upper.addBound(bound(-positive));
  }
}

/// Tries every piece of `exact` as a bound.
void tryPieces(const isl::pw_aff &exact, MLIRContext *mlirContext,
               Bound &bound) {
  exact.foreach_piece([&](isl::set, isl::multi_aff piece) {
    isl::aff aff = piece.at(0);
    llvm::Expected<AffineExpr> expr = toAffineExpr(aff.get(), mlirContext);
    if (expr)
      bound.tryBound(*expr, exact);
    else
      llvm::consumeError(expr.takeError());
  });
}

/// Returns { step -> [coordinate dim] }.
isl::map getCoordinate(const isl::map &waited, unsigned dim) {
  unsigned rank = waited.range_tuple_dim();
  isl::map map = isl::manage(
      isl_map_project_out(waited.copy(), isl_dim_out, dim + 1, rank - dim - 1));
  return isl::manage(isl_map_project_out(map.release(), isl_dim_out, 0, dim));
}

} // namespace

bool findWaitBounds(const IslContext &context, const isl::map &waited,
                    const TileKernel &producer, const TileKernel &consumer,
                    MLIRContext *mlirContext, SemaphorePolicy &policy) {
  isl::ctx ctx = waited.ctx();
  // Bounds are compared on a hull of the steps that wait.
  isl::set steps = isl::basic_set(isl::manage(isl_set_simple_hull(
      isl_set_remove_unknown_divs(waited.domain().release()))));
  unsigned rank = policy.shape.size();
  std::vector<Bound> lower, upper;
  for (unsigned dim = 0; dim < rank; ++dim) {
    isl::pw_aff last = lastSemaphore(steps.space(), policy, producer, dim);
    // If the last semaphore is not a constant, any larger number is a bound.
    int64_t size = policy.shape[dim];
    AffineExpr first = getAffineConstantExpr(0, mlirContext);
    AffineExpr end = getAffineConstantExpr(
        ShapedType::isDynamic(size) ? int64_t(1) << 30 : size - 1, mlirContext);
    lower.emplace_back(steps, last, /*isLower=*/true, first);
    upper.emplace_back(steps, last, /*isLower=*/false, end);
  }
  auto isExact = [&] {
    llvm::SmallVector<AffineExpr> lowerExprs, upperExprs;
    for (unsigned dim = 0; dim < rank; ++dim) {
      lowerExprs.push_back(lower[dim].get());
      upperExprs.push_back(upper[dim].get());
    }
    unsigned numDims = consumer.grid.size() + 1;
    policy.waitLower = AffineMap::get(numDims, 0, lowerExprs, mlirContext);
    policy.waitUpper = AffineMap::get(numDims, 0, upperExprs, mlirContext);
    bool isSubset = false;
    tryWithin(context, maxExactOperations, [&] {
      isSubset = waitMap(ctx, policy, producer, consumer)
                     .intersect_domain(waited.domain())
                     .is_subset(waited);
    });
    return isSubset;
  };

  for (unsigned dim = 0; dim < rank; ++dim) {
    isl::map coordinate = isl::manage(
        isl_map_remove_unknown_divs(getCoordinate(waited, dim).release()));
    isl::basic_map hull =
        isl::manage(isl_map_simple_hull(coordinate.release()));
    addConstraints(isl::manage(isl_basic_map_wrap(hull.release())), mlirContext,
                   lower[dim], upper[dim]);
  }
  if (isExact())
    return true;
  tryWithin(context, maxPieceOperations, [&] {
    for (unsigned dim = 0; dim < rank; ++dim) {
      isl::map coordinate = getCoordinate(waited, dim);
      tryPieces(coordinate.min_multi_pw_aff().at(0).coalesce(), mlirContext,
                lower[dim]);
      tryPieces(coordinate.max_multi_pw_aff().at(0).coalesce(), mlirContext,
                upper[dim]);
    }
  });
  if (isExact())
    return true;
  for (unsigned dim = 0; dim < rank; ++dim) {
    isl::map coordinate = getCoordinate(waited, dim);
    if (isl_map_dim(coordinate.get(), isl_dim_param) == 0)
      tryWithin(context, maxLineOperations, [&] {
        addLines(coordinate, mlirContext, lower[dim], upper[dim]);
      });
  }
  return isExact();
}

} // namespace grout::detail
