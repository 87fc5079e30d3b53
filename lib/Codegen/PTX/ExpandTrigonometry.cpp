//===- ExpandTrigonometry.cpp - sin, cos and tan of f32 -------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "FloatFunctions.h"

using namespace mlir;
using namespace grout;

//===----------------------------------------------------------------------===//
// Reduction
//===----------------------------------------------------------------------===//

namespace {
/// An angle as a number of right angles, without whole turns, and a rest of at
/// most 0.8.
struct ReducedAngle {
  FormulaValue rightAngles; // i32, of which the low two bits count
  FormulaValue rest;        // f32

  FormulaValue isOdd() const {
    return (rightAngles & rightAngles.constant(1)) == 1;
  }
};
} // namespace

/// 2 / pi as a sum of four numbers. The first three have 29 bits each, so their
/// products with an f32 are exact in f64.
static constexpr double kTwoOverPi[] = {0x1.45f306dp-1, 0x1.9391054p-30,
                                        0x1.4fe13abp-59, 0x1.d1f534ddc0db6p-88};
/// The same sum without its 52 highest bits. With numbers from 2^77 on, which
/// are multiples of 2^54, these bits give whole turns.
static constexpr double kTwoOverPiOfLarge[] = {
    0x1.4a7f09cp-54, 0x1.5f47d4dp-82, 0x1.bb81b6cp-113, 0x1.4acc9e21c821p-143};
static constexpr double kLarge = 0x1p77;

/// Adding one of these numbers rounds: kToTurns to multiples of 2^26, for
/// numbers below 2^77; kToInteger to integers, for numbers below 2^51. The
/// integers are in the low bits of the sum.
static constexpr double kToTurns = 0x1.8p78;
static constexpr double kToInteger = 0x1.8p52;

/// Multiplies by 2 / pi, part by part, and leaves out whole turns. All products
/// and differences are exact, or as exact as the angle is small: only there may
/// one cancel the other.
static ReducedAngle reduce(FormulaValue x) {
  FormulaValue isLarge = x.abs() >= kLarge;
  FormulaValue wide = x.toF64();
  auto getPart = [&](unsigned part) {
    return isLarge.select(kTwoOverPiOfLarge[part],
                          wide.constant(kTwoOverPi[part]));
  };
  FormulaValue first = getPart(0);
  FormulaValue turns = wide.fma(first, kToTurns) - kToTurns;
  FormulaValue rest = wide.fma(first, -turns);

  SmallVector<FormulaValue, 2> sums;
  for (unsigned part : {1, 2}) {
    FormulaValue factor = getPart(part);
    FormulaValue sum = wide.fma(factor, rest) + kToInteger;
    rest = wide.fma(factor, rest - (sum - kToInteger));
    sums.push_back(sum.toBits());
  }
  rest = wide.fma(getPart(3), rest);
  return {(sums[0] + sums[1]).toI32(),
          (rest * (llvm::numbers::pi / 2)).toF32()};
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

/// Emits the sine of a rest, with a relative error of 2^-27.7 before rounding.
static FormulaValue emitRestSine(FormulaValue x) {
  FormulaValue square = x * x;
  FormulaValue factor =
      square.polynomial({-0x1.990f92p-13, 0x1.1106aep-7, -0x1.555544p-3});
  // The addition of 0 keeps the sign of a zero.
  return x.fma(square, 0.0).fma(factor, x);
}

/// Emits the cosine of a rest, with a relative error of 2^-32.6 before
/// rounding.
static FormulaValue emitRestCosine(FormulaValue x) {
  return (x * x).polynomial(
      {0x1.99911cp-16, -0x1.6c0af4p-10, 0x1.555548p-5, -0.5, 1.0});
}

/// Emits `x`, negated if bit `bit` of `number` is set.
static FormulaValue emitNegatedBy(FormulaValue x, FormulaValue number,
                                  int64_t bit) {
  FormulaValue sign = (number & number.constant(1 << bit)) << (31 - bit);
  return (x.toBits() ^ sign).toFloat();
}

static FormulaValue emitSine(const ReducedAngle &angle) {
  FormulaValue size = angle.isOdd().select(emitRestCosine(angle.rest),
                                           emitRestSine(angle.rest));
  return emitNegatedBy(size, angle.rightAngles, 1);
}

static FormulaValue emitSin(ArrayRef<FormulaValue> operands) {
  return emitSine(reduce(operands[0]));
}

/// The cosine is the sine of the angle plus a right angle.
static FormulaValue emitCos(ArrayRef<FormulaValue> operands) {
  ReducedAngle angle = reduce(operands[0]);
  return emitSine({angle.rightAngles + 1, angle.rest});
}

static FormulaValue emitTan(ArrayRef<FormulaValue> operands) {
  ReducedAngle angle = reduce(operands[0]);
  FormulaValue sine = emitRestSine(angle.rest);
  FormulaValue cosine = emitRestCosine(angle.rest);
  FormulaValue isOdd = angle.isOdd();
  FormulaValue quotient =
      isOdd.select(cosine, sine) / isOdd.select(sine, cosine);
  return emitNegatedBy(quotient, angle.rightAngles, 0);
}

void grout::populateTrigonometryPatterns(RewritePatternSet &patterns) {
  addFormula<math::SinOp>(patterns, emitSin);
  addFormula<math::CosOp>(patterns, emitCos);
  addFormula<math::TanOp>(patterns, emitTan);
}
