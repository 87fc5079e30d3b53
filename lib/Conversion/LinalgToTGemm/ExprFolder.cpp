//===- ExprFolder.cpp - Folding of expressions ----------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "ExprFolder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace grout;
using Kind = ScalarExpr::Kind;

/// Folds `op` with `operands`; null if it does not fold.
static TypedAttr foldOp(Operation *op, ArrayRef<Attribute> operands) {
  SmallVector<OpFoldResult, 1> results;
  if (failed(op->fold(operands, results)) || results.size() != 1)
    return {};
  if (auto attribute = dyn_cast<Attribute>(results[0]))
    return dyn_cast<TypedAttr>(attribute);
  // Some folders return an operand.
  for (auto [value, operand] : llvm::zip_equal(op->getOperands(), operands))
    if (value == cast<Value>(results[0]))
      return cast<TypedAttr>(operand);
  return {};
}

/// Folds the exponential of an infinite number of any type. Upstream's folders
/// only know few types.
static TypedAttr foldExponential(FloatAttr exponent) {
  const APFloat &value = exponent.getValue();
  if (value.isNaN() || (value.isInfinity() && !value.isNegative()))
    return exponent;
  if (value.isInfinity())
    return FloatAttr::get(exponent.getType(), 0.0);
  return {};
}

void ExprFolder::assume(const ScalarExpr *expr, double value) {
  known[expr] = FloatAttr::get(expr->type, value);
}

TypedAttr ExprFolder::fold(const ScalarExpr *expr) {
  for (const ScalarExpr *part : getParts(expr))
    if (!known.contains(part))
      if (TypedAttr value = compute(part))
        known[part] = value;
  return known.lookup(expr);
}

TypedAttr ExprFolder::compute(const ScalarExpr *expr) {
  if (expr->kind == Kind::constant)
    return expr->constant;
  if (expr->kind == Kind::reduce)
    return computeReduction(expr);
  if (expr->kind != Kind::apply)
    return {};
  if (expr->is<arith::SelectOp>())
    return computeSelection(expr);
  SmallVector<Attribute> operands;
  for (const ScalarExpr *operand : expr->operands) {
    operands.push_back(known.lookup(operand));
    if (!operands.back())
      return {};
  }
  if (expr->is<math::ExpOp>() || expr->is<math::Exp2Op>())
    if (TypedAttr value = foldExponential(cast<FloatAttr>(operands[0])))
      return value;
  return foldOp(expr->op, operands);
}

/// All keys have the same value. It is the result if combining it with itself
/// returns it.
TypedAttr ExprFolder::computeReduction(const ScalarExpr *expr) {
  TypedAttr value = known.lookup(expr->operands[0]);
  if (!value || foldOp(expr->op, {value, value}) != value)
    return {};
  return foldOp(expr->op, {expr->constant, value});
}

TypedAttr ExprFolder::computeSelection(const ScalarExpr *expr) {
  auto condition =
      dyn_cast_or_null<IntegerAttr>(known.lookup(expr->operands[0]));
  if (!condition)
    return {};
  return known.lookup(expr->operands[condition.getValue().isZero() ? 2 : 1]);
}
