//===- ExpandLogarithms.cpp - Logarithms and inverse hyperbolics ----------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "FloatFunctions.h"

using namespace mlir;
using namespace grout;

/// Factors between logarithms: ln(2) and log10(2).
static constexpr double kLn2 = llvm::numbers::ln2;
static constexpr double kLog10Of2 = 0.30102999566398119521;

/// Below this number, the first two terms of a series are enough.
static constexpr double kSmall = 0x1p-13;

/// The bits of sqrt(1/2), rounded down to the upper 32 bits.
static constexpr double kBitsOfSqrtHalf = double(int64_t(0x3FE6A09E) << 32);

/// Emits the logarithm of a positive finite number 2^k * m, where m is between
/// sqrt(1/2) and sqrt(2): k + (m - 1) * p(m - 1).
static FormulaValue emitPositiveLog2(FormulaValue x) {
  FormulaValue bits = x.toBits();
  FormulaValue exponent = (bits - kBitsOfSqrtHalf) >> 52;
  FormulaValue fraction = (bits - (exponent << 52)).toFloat() - 1;
  FormulaValue factor = fraction.polynomial(
      {-0.06973777052139181, 0.1325111627323825, -0.13462964426460766,
       0.1302758794803425, -0.14249860560838806, 0.16021663635727018,
       -0.18043675203322113, 0.20610712477692084, -0.2404464335489794,
       0.2885387956842779, -0.3606737931376503, 0.48089834880327026,
       -0.7213475203275482, 1.4426950408865737});
  return fraction.fma(factor, exponent.toI32().toNumber());
}

FormulaValue grout::emitLog2(FormulaValue x) {
  FormulaValue log = (x < kInfinity).select(emitPositiveLog2(x), x);
  return (x > 0).select(log, (x == 0).select(-kInfinity, x.constant(kNaN)));
}

static FormulaValue emitLog2Function(ArrayRef<FormulaValue> operands) {
  return emitLog2(operands[0].toF64()).toF32();
}

static FormulaValue emitLog(ArrayRef<FormulaValue> operands) {
  return (emitLog2(operands[0].toF64()) * kLn2).toF32();
}

static FormulaValue emitLog10(ArrayRef<FormulaValue> operands) {
  return (emitLog2(operands[0].toF64()) * kLog10Of2).toF32();
}

/// Emits `size` + `third` * `size`^3 if `size`, which is |x|, is small; else
/// `large`.
static FormulaValue emitSmall(FormulaValue size, double third,
                              FormulaValue large) {
  return (size < kSmall).select((size * size * third).fma(size, size), large);
}

static FormulaValue emitAcosh(ArrayRef<FormulaValue> operands) {
  FormulaValue x = operands[0].toF64();
  FormulaValue sum = x + (x * x - 1).sqrt();
  return (emitLog2((x < 1).select(kNaN, sum)) * kLn2).toF32();
}

static FormulaValue emitAsinh(ArrayRef<FormulaValue> operands) {
  FormulaValue size = operands[0].abs(), x = size.toF64();
  FormulaValue log = emitLog2(x + (x * x + 1).sqrt());
  return emitSmall(size, -1.0 / 6, (log * kLn2).toF32())
      .withSignOf(operands[0]);
}

static FormulaValue emitAtanh(ArrayRef<FormulaValue> operands) {
  FormulaValue size = operands[0].abs(), x = size.toF64();
  FormulaValue log = emitLog2((x + 1) / (x.constant(1) - x));
  return emitSmall(size, 1.0 / 3, (log * (kLn2 / 2)).toF32())
      .withSignOf(operands[0]);
}

void grout::populateLogarithmPatterns(RewritePatternSet &patterns) {
  addFormula<math::LogOp>(patterns, emitLog);
  addFormula<math::Log2Op>(patterns, emitLog2Function);
  addFormula<math::Log10Op>(patterns, emitLog10);
  addFormula<math::AcoshOp>(patterns, emitAcosh);
  addFormula<math::AsinhOp>(patterns, emitAsinh);
  addFormula<math::AtanhOp>(patterns, emitAtanh);
}
