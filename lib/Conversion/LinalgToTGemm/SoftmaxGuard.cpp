//===- SoftmaxGuard.cpp - Selections by the scores of a row ---------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "SoftmaxGuard.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include <cmath>

using namespace mlir;
using namespace grout;

static bool isConstant(const ScalarExpr *expr, double value) {
  return getFloatConstant(stripCasts(expr)) == value;
}

static bool isMinusInfinity(const ScalarExpr *expr) {
  return isConstant(expr, -INFINITY);
}

/// Whether a maximum that starts from `init` is the maximum of the other
/// numbers.
static bool isBelowAll(TypedAttr init, bool ignoresNaN) {
  auto value = dyn_cast<FloatAttr>(init);
  if (!value)
    return false;
  const APFloat &number = value.getValue();
  if (number.isNaN())
    return ignoresNaN;
  return number.isNegative() && (number.isInfinity() || number.isLargest());
}

/// Whether `expr` is the largest score of a row, possibly also compared with
/// minus infinity.
static bool isLargest(const ScalarExpr *expr, const SoftmaxParts &parts) {
  expr = stripCasts(expr);
  if (expr->isReduction<arith::MaximumFOp, arith::MaxNumFOp>())
    return stripCasts(expr->operands[0]) == parts.scores &&
           isBelowAll(expr->constant, expr->isReduction<arith::MaxNumFOp>());
  if (!expr->is<arith::MaximumFOp>() && !expr->is<arith::MaxNumFOp>())
    return false;
  return (isMinusInfinity(expr->operands[0]) &&
          isLargest(expr->operands[1], parts)) ||
         (isMinusInfinity(expr->operands[1]) &&
          isLargest(expr->operands[0], parts));
}

bool grout::isSumOf(const ScalarExpr *expr, const ScalarExpr *exponential) {
  expr = stripCasts(expr);
  if (!expr->isReduction<arith::AddFOp>())
    return false;
  auto init = dyn_cast<FloatAttr>(expr->constant);
  return init && init.getValue().isZero() &&
         stripCasts(expr->operands[0]) == exponential;
}

/// Returns the result of comparing a number with a bound, if the number is
/// above the bound (`isAbove`), or below it.
static std::optional<bool> compare(arith::CmpFPredicate predicate,
                                   bool isAbove) {
  switch (predicate) {
  case arith::CmpFPredicate::OEQ:
  case arith::CmpFPredicate::UEQ:
    return false;
  case arith::CmpFPredicate::ONE:
  case arith::CmpFPredicate::UNE:
    return true;
  case arith::CmpFPredicate::OLE:
  case arith::CmpFPredicate::ULE:
  case arith::CmpFPredicate::OLT:
  case arith::CmpFPredicate::ULT:
    return !isAbove;
  case arith::CmpFPredicate::OGT:
  case arith::CmpFPredicate::UGT:
  case arith::CmpFPredicate::OGE:
  case arith::CmpFPredicate::UGE:
    return isAbove;
  default:
    return std::nullopt;
  }
}

/// Whether `value` is above `bound`, or below it, in a row with a finite score,
/// or for a key with a finite score. None if that is not known.
static std::optional<bool> isAbove(const ScalarExpr *value,
                                   const ScalarExpr *bound,
                                   const SoftmaxParts &parts) {
  auto isFinite = [&](const ScalarExpr *expr) {
    return isLargest(expr, parts) || stripCasts(expr) == parts.scores;
  };
  value = stripCasts(value);
  if (isFinite(value) && isMinusInfinity(bound))
    return true;
  if (value->is<math::AbsFOp>() && isFinite(value->operands[0]) &&
      isConstant(bound, INFINITY))
    return false;
  if (isSumOf(value, parts.exponential) && isConstant(bound, 0))
    return true;
  return std::nullopt;
}

/// Evaluates a comparison in a row with a finite score, or for a key with one.
static std::optional<bool> evaluateComparison(const ScalarExpr *expr,
                                              const SoftmaxParts &parts) {
  auto predicate = cast<arith::CmpFOp>(expr->op).getPredicate();
  const ScalarExpr *lhs = expr->operands[0], *rhs = expr->operands[1];
  if (std::optional<bool> above = isAbove(lhs, rhs, parts))
    return compare(predicate, *above);
  if (std::optional<bool> above = isAbove(rhs, lhs, parts))
    return compare(predicate, !*above);
  return std::nullopt;
}

static std::optional<bool> evaluateInRow(const ScalarExpr *expr,
                                         const SoftmaxParts &parts,
                                         unsigned depth);

/// Evaluates a logical op from the known values of its operands.
static std::optional<bool> evaluateLogic(const ScalarExpr *expr,
                                         const SoftmaxParts &parts,
                                         unsigned depth) {
  std::optional<bool> lhs = evaluateInRow(expr->operands[0], parts, depth);
  std::optional<bool> rhs = evaluateInRow(expr->operands[1], parts, depth);
  if (!lhs || !rhs)
    return std::nullopt;
  if (expr->is<arith::AndIOp>() || expr->is<arith::MulIOp>())
    return *lhs && *rhs;
  if (expr->is<arith::OrIOp>())
    return *lhs || *rhs;
  if (expr->is<arith::XOrIOp>())
    return *lhs != *rhs;
  auto predicate = cast<arith::CmpIOp>(expr->op).getPredicate();
  if (predicate == arith::CmpIPredicate::eq)
    return *lhs == *rhs;
  if (predicate == arith::CmpIPredicate::ne)
    return *lhs != *rhs;
  return std::nullopt;
}

/// Evaluates a condition for rows with a finite score. Inside of a reduction,
/// evaluates it for a key with such a score.
static std::optional<bool> evaluateInRow(const ScalarExpr *expr,
                                         const SoftmaxParts &parts,
                                         unsigned depth) {
  constexpr unsigned maxDepth = 8;
  if (depth == maxDepth)
    return std::nullopt;
  if (std::optional<bool> constant = getBoolConstant(expr))
    return constant;
  if (expr->is<arith::CmpFOp>())
    return evaluateComparison(expr, parts);
  if (expr->isReduction<arith::OrIOp, arith::AndIOp>()) {
    bool deciding = expr->isReduction<arith::OrIOp>();
    std::optional<bool> one =
        evaluateInRow(expr->operands[0], parts, depth + 1);
    return one == deciding ? one : std::nullopt;
  }
  bool isLogic = expr->is<arith::AndIOp>() || expr->is<arith::MulIOp>() ||
                 expr->is<arith::OrIOp>() || expr->is<arith::XOrIOp>() ||
                 expr->is<arith::CmpIOp>();
  if (!isLogic || !expr->operands[0]->type.isInteger(1))
    return std::nullopt;
  return evaluateLogic(expr, parts, depth + 1);
}

/// Whether the largest score is subtracted before exponentials are computed.
/// Then their sum is only 0 if all scores are minus infinity.
static bool subtractsLargest(const SoftmaxParts &parts) {
  const ScalarExpr *origin = parts.origin;
  while (origin && stripCasts(origin)->is<arith::SelectOp>()) {
    ArrayRef<const ScalarExpr *> operands = stripCasts(origin)->operands;
    std::optional<bool> condition = evaluateInRow(operands[0], parts, 0);
    if (!condition)
      return false;
    origin = operands[*condition ? 1 : 2];
  }
  return origin && isLargest(origin, parts);
}

bool grout::holdGuards(ArrayRef<SoftmaxGuard> guards,
                       const SoftmaxParts &parts) {
  if (!guards.empty() && parts.exponential && !subtractsLargest(parts))
    return false;
  return llvm::all_of(guards, [&](const SoftmaxGuard &guard) {
    return evaluateInRow(guard.condition, parts, 0) == guard.taken;
  });
}

bool grout::takeGuard(const ScalarExpr *&expr, ArrayRef<unsigned> keys,
                      function_ref<bool(const ScalarExpr *)> isSpecial,
                      SoftmaxGuards &guards) {
  if (!expr->is<arith::SelectOp>() || expr->operands[0]->dependsOn(keys))
    return false;
  bool taken = isSpecial(expr->operands[2]);
  if (!taken && !isSpecial(expr->operands[1]))
    return false;
  guards.push_back({expr->operands[0], taken});
  expr = expr->operands[taken ? 1 : 2];
  return true;
}
