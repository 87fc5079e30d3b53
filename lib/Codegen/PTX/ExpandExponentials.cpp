//===- ExpandExponentials.cpp - Exponentials of f32 -----------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "FloatFunctions.h"

using namespace mlir;
using namespace grout;

/// If x is added to this number, the sum has x, rounded to an integer, in its
/// low bits.
static constexpr double kToInteger = 0x1.8p23;

/// Emits exp(x) - 1 for |x| of at most 0.35, with an error of 2^-31 before
/// rounding.
static FormulaValue emitSmallExpM1(FormulaValue x) {
  FormulaValue factor =
      x.polynomial({0x1.9e864ap-13, 0x1.6d404ap-10, 0x1.1112d2p-7,
                    0x1.5554f4p-5, 0x1.555554p-3, 0.5});
  return (x * x).fma(factor, x);
}

/// Emits exp(x) of an f32 from -104 to 90.
static Exponential emitExp(FormulaValue x) {
  FormulaValue exponent = x.fma(llvm::numbers::log2e, kToInteger);
  FormulaValue whole = -(exponent - kToInteger);
  // ln(2) as a sum of two f32 numbers.
  FormulaValue rest = whole.fma(0x1.62e43p-1, x);
  rest = whole.fma(-0x1.05c61p-29, rest);
  return {exponent, emitSmallExpM1(rest)};
}

Exponential grout::emitExp2(FormulaValue x) {
  FormulaValue exponent = x.toF32() + kToInteger;
  FormulaValue rest = x - (exponent - kToInteger).toF64();
  return {exponent, emitSmallExpM1((rest * llvm::numbers::ln2).toF32())};
}

/// Emits 2^k as an f64.
static FormulaValue emitPower(const Exponential &x) {
  FormulaValue bits = x.exponent.toBits().toI64() << 52;
  return (bits + double(int64_t(1023) << 52)).toFloat();
}

FormulaValue Exponential::getValue() const {
  FormulaValue power = emitPower(*this);
  return power.fma(fraction.toF64(), power);
}

FormulaValue Exponential::getValueLessOne() const {
  FormulaValue power = emitPower(*this);
  return power.fma(fraction.toF64(), power - 1);
}

/// Beyond these bounds results round to 0 and infinity.
static FormulaValue clampExponent(FormulaValue x) { return x.clamp(-104, 90); }

static FormulaValue emitExpFunction(ArrayRef<FormulaValue> operands) {
  return emitExp(clampExponent(operands[0])).getValue().toF32();
}

static FormulaValue emitExp2Function(ArrayRef<FormulaValue> operands) {
  return emitExp2(operands[0].clamp(-160, 160).toF64()).getValue().toF32();
}

static FormulaValue emitExpM1(ArrayRef<FormulaValue> operands) {
  return emitExp(clampExponent(operands[0]))
      .getValueLessOne()
      .toF32()
      .withSignOf(operands[0]);
}

/// (exp(x) + exp(-x)) / 2
static FormulaValue emitCosh(ArrayRef<FormulaValue> operands) {
  FormulaValue exp = emitExp(clampExponent(operands[0].abs())).getValue();
  return ((exp + exp.constant(1) / exp) * 0.5).toF32();
}

/// (exp(x) - exp(-x)) / 2, which with y = exp(x) - 1 is (y + y / (y + 1)) / 2.
static FormulaValue emitSinh(ArrayRef<FormulaValue> operands) {
  FormulaValue less =
      emitExp(clampExponent(operands[0].abs())).getValueLessOne();
  return ((less + less / (less + 1)) * 0.5).toF32().withSignOf(operands[0]);
}

/// Emits the number minus 1 as an f32, if k is from -126 to 127.
static FormulaValue emitLessOne(const Exponential &x) {
  FormulaValue bits = x.exponent.toBits() << 23;
  FormulaValue power = (bits + double(127 << 23)).toFloat();
  return power.fma(x.fraction, power - 1);
}

/// With y = exp(2 x) - 1, tanh(x) is y / (y + 2). From 10 on, it is 1.
static FormulaValue emitTanh(ArrayRef<FormulaValue> operands) {
  FormulaValue twice = operands[0].abs() * 2;
  FormulaValue less = emitLessOne(emitExp((twice > 20).select(20, twice)));
  return (less / (less + 2)).withSignOf(operands[0]);
}

/// erf(x) is 1 minus its complement, whose logarithm is smooth. From 4 on, it
/// is 1. The polynomial changes the result by 2^-30.7. The coefficient of x is
/// split into two numbers.
static FormulaValue emitErf(ArrayRef<FormulaValue> operands) {
  FormulaValue size = operands[0].abs();
  FormulaValue x = (size > 4).select(4, size);
  FormulaValue rest = x.polynomial(
      {-0x1.316b7cp-20, 0x1.5ca72cp-16, -0x1.5a2aaap-13, 0x1.818342p-11,
       -0x1.d5e586p-10, 0x1.041910p-12, 0x1.3941eap-6, -0x1.a4f3eap-4,
       -0x1.45f308p-1, 0x1.fbb0eep-25});
  FormulaValue logarithm = x.fma(-0x1.20dd76p+0, x * rest);
  return emitLessOne(emitExp(logarithm)).withSignOf(operands[0]);
}

void grout::populateExponentialPatterns(RewritePatternSet &patterns) {
  addFormula<math::ExpOp>(patterns, emitExpFunction);
  addFormula<math::Exp2Op>(patterns, emitExp2Function);
  addFormula<math::ExpM1Op>(patterns, emitExpM1);
  addFormula<math::CoshOp>(patterns, emitCosh);
  addFormula<math::SinhOp>(patterns, emitSinh);
  addFormula<math::TanhOp>(patterns, emitTanh);
  addFormula<math::ErfOp>(patterns, emitErf);
}
