//===- ExpandInverseTrigonometry.cpp - asin, atan and atan2 of f32 --------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "FloatFunctions.h"

using namespace mlir;
using namespace grout;

/// pi / 2 as a sum of two f32 numbers.
static constexpr double kHalfPi = 0x1.921fb6p+0;
static constexpr double kHalfPiRest = -0x1.777a5cp-25;

/// Emits `number` right angles minus `x`.
static FormulaValue emitRightAnglesLess(double number, FormulaValue x) {
  return (x.constant(number * kHalfPiRest) - x) + number * kHalfPi;
}

/// Uses a polynomial up to 1/2, and asin(x) = pi / 2 - 2 asin(sqrt((1 - x) /
/// 2)) beyond. The polynomial's error is 2^-27.6.
static FormulaValue emitAsin(ArrayRef<FormulaValue> operands) {
  FormulaValue size = operands[0].abs();
  FormulaValue isLarge = size > 0.5;
  FormulaValue square =
      isLarge.select((size.constant(1) - size) * 0.5, size * size);
  FormulaValue sine = isLarge.select(square.sqrt(), size);
  FormulaValue factor =
      square.polynomial({0x1.595c60p-5, 0x1.8c3e50p-6, 0x1.747bb8p-5,
                         0x1.330204p-4, 0x1.5555c8p-3});
  FormulaValue angle = (sine * square).fma(factor, sine);
  return isLarge.select(emitRightAnglesLess(1, angle * 2), angle)
      .withSignOf(operands[0]);
}

/// Emits the arc tangent of a number from 0 to 1, with an error of 2^-28.5
/// before rounding.
static FormulaValue emitSmallAtan(FormulaValue x) {
  FormulaValue square = x * x;
  FormulaValue factor =
      square.polynomial({-0x1.d4984ap-10, 0x1.64c1cep-7, -0x1.fdfc1cp-6,
                         0x1.da5ed4p-5, -0x1.58155ep-4, 0x1.c08f64p-4,
                         -0x1.2420b6p-3, 0x1.9991e6p-3, -0x1.55553ep-2});
  return (x * square).fma(factor, x);
}

static FormulaValue emitAtan(ArrayRef<FormulaValue> operands) {
  FormulaValue size = operands[0].abs();
  FormulaValue isLarge = size > 1;
  FormulaValue angle =
      emitSmallAtan(isLarge.select(1, size) / isLarge.select(size, 1));
  return isLarge.select(emitRightAnglesLess(1, angle), angle)
      .withSignOf(operands[0]);
}

static FormulaValue emitAtan2(ArrayRef<FormulaValue> operands) {
  FormulaValue y = operands[0].abs(), x = operands[1].abs();
  FormulaValue isSteep = y > x;
  FormulaValue quotient = isSteep.select(x, y) / isSteep.select(y, x);
  // Two zeros, or two infinities.
  quotient = (y == x).select((y == 0).select(y, 1), quotient);
  FormulaValue angle = emitSmallAtan(quotient);
  angle = isSteep.select(emitRightAnglesLess(1, angle), angle);
  FormulaValue isNegative = (operands[1].toBits() >> 31) == -1;
  return isNegative.select(emitRightAnglesLess(2, angle), angle)
      .withSignOf(operands[0]);
}

void grout::populateInverseTrigonometryPatterns(RewritePatternSet &patterns) {
  addFormula<math::AsinOp>(patterns, emitAsin);
  addFormula<math::AtanOp>(patterns, emitAtan);
  addFormula<math::Atan2Op>(patterns, emitAtan2);
}
