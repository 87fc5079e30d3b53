//===- SoftmaxExpr.cpp - Expressions that are a softmax -------------------===//
//
// Part of Grout. The value that is subtracted from all scores of a row only
// changes the range of the exponentials. So any value matches, unless a guard
// relies on it.
//
//===----------------------------------------------------------------------===//

#include "SoftmaxExpr.h"

#include "ExprFolder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace mlir;
using namespace grout;
using Kind = ScalarExpr::Kind;

/// Removes constant factors from `expr`.
static const ScalarExpr *skipFactors(const ScalarExpr *expr, double &factor) {
  while (true) {
    expr = stripCasts(expr);
    std::optional<double> lhs, rhs;
    if (expr->is<arith::MulFOp>())
      lhs = getFloatConstant(expr->operands[0]);
    if (expr->is<arith::MulFOp>() || expr->is<arith::DivFOp>())
      rhs = getFloatConstant(expr->operands[1]);
    if (!lhs && !rhs)
      return expr;
    if (rhs)
      factor *= expr->is<arith::DivFOp>() ? 1 / *rhs : *rhs;
    else
      factor *= *lhs;
    expr = expr->operands[rhs ? 0 : 1];
  }
}

/// Matches exp(factor * (scores - something of the row)).
static bool matchExponential(const ScalarExpr *expr, ArrayRef<unsigned> keys,
                             Softmax &softmax) {
  if (!expr->is<math::ExpOp>() && !expr->is<math::Exp2Op>())
    return false;
  softmax.factor = expr->is<math::Exp2Op>() ? llvm::numbers::ln2 : 1;
  const ScalarExpr *argument = skipFactors(expr->operands[0], softmax.factor);
  if (argument->is<arith::SubFOp>() &&
      !stripCasts(argument->operands[1])->dependsOn(keys)) {
    softmax.origin = argument->operands[1];
    argument = stripCasts(argument->operands[0]);
  }
  softmax.scores = argument;
  softmax.exponential = expr;
  return true;
}

/// Returns dividend and divisor of `expr`; null if it is not a division.
static std::pair<const ScalarExpr *, const ScalarExpr *>
getQuotient(const ScalarExpr *expr) {
  if (expr->is<arith::DivFOp>())
    return {stripCasts(expr->operands[0]), stripCasts(expr->operands[1])};
  if (!expr->is<arith::MulFOp>())
    return {};
  for (unsigned number : {0, 1}) {
    const ScalarExpr *inverse = stripCasts(expr->operands[number]);
    if (inverse->is<arith::DivFOp>() &&
        getFloatConstant(stripCasts(inverse->operands[0])) == 1)
      return {stripCasts(expr->operands[1 - number]),
              stripCasts(inverse->operands[1])};
  }
  return {};
}

/// Removes all guards and casts from `expr`.
static const ScalarExpr *
skipGuards(const ScalarExpr *expr, ArrayRef<unsigned> keys,
           function_ref<bool(const ScalarExpr *)> isSpecial,
           SoftmaxGuards &guards) {
  expr = stripCasts(expr);
  while (takeGuard(expr, keys, isSpecial, guards))
    expr = stripCasts(expr);
  return expr;
}

static bool isZeroConstant(const ScalarExpr *expr) {
  return getFloatConstant(expr) == 0;
}

/// Whether `divisor` is the sum of exponentials. Appends guards around it to
/// `guards`.
static bool isDivisor(const ScalarExpr *divisor, const Softmax &softmax,
                      SoftmaxGuards &guards) {
  // No need to check that guards do not depend on a key: the sum is over all
  // keys.
  auto isNumber = [](auto *expr) { return getFloatConstant(expr).has_value(); };
  return isSumOf(skipGuards(divisor, {}, isNumber, guards),
                 softmax.exponential);
}

/// Returns a folder for rows without any finite score.
static ExprFolder getFolder(const Softmax &softmax) {
  ExprFolder folder;
  folder.assume(softmax.scores, softmax.factor < 0 ? INFINITY : -INFINITY);
  return folder;
}

static std::optional<double> toNumber(TypedAttr value) {
  auto number = dyn_cast_or_null<FloatAttr>(value);
  return number ? std::optional(number.getValueAsDouble()) : std::nullopt;
}

std::optional<Softmax> grout::matchSoftmax(const ScalarExpr *expr,
                                           ArrayRef<unsigned> keys) {
  Softmax softmax;
  SoftmaxGuards guards;
  const ScalarExpr *inner = skipGuards(expr, keys, isZeroConstant, guards);
  if (inner->kind == Kind::softmax) {
    softmax.scores = stripCasts(inner->operands[0]);
  } else if (matchExponential(inner, keys, softmax)) {
    softmax.isDivided = false;
    softmax.withoutKeys = toNumber(getFolder(softmax).fold(inner));
    return guards.empty() ? std::optional(softmax) : std::nullopt;
  } else {
    auto [dividend, divisor] = getQuotient(inner);
    if (!dividend || !matchExponential(dividend, keys, softmax) ||
        !isDivisor(divisor, softmax, guards))
      return std::nullopt;
  }
  if (!holdGuards(guards, softmax))
    return std::nullopt;
  softmax.withoutKeys =
      guards.empty() ? NAN : toNumber(getFolder(softmax).fold(expr));
  return softmax;
}

/// Returns `expr` without casts to fewer bits.
static const ScalarExpr *stripRounding(const ScalarExpr *expr) {
  while (expr->is<arith::TruncFOp>())
    expr = expr->operands[0];
  return expr;
}

bool grout::matchResult(const ScalarExpr *expr, const ScalarExpr *element,
                        Softmax &softmax) {
  SoftmaxGuards guards;
  const ScalarExpr *inner = stripRounding(expr);
  while (takeGuard(inner, {}, isZeroConstant, guards))
    inner = stripRounding(inner);
  bool isQuotient = inner != element;
  if (isQuotient) {
    auto [dividend, divisor] = getQuotient(inner);
    if (softmax.isDivided || dividend != element ||
        !isDivisor(divisor, softmax, guards))
      return false;
  }
  if (!holdGuards(guards, softmax))
    return false;
  if (!guards.empty()) {
    ExprFolder folder = getFolder(softmax);
    if (softmax.withoutKeys)
      folder.assume(element, *softmax.withoutKeys);
    softmax.withoutKeys = toNumber(folder.fold(expr));
  } else if (isQuotient) {
    softmax.withoutKeys = NAN;
  }
  softmax.isDivided |= isQuotient;
  return true;
}
