//===- ExpandPowers.cpp - Powers and cubic roots of f32 -------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "FloatFunctions.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace grout;

bool grout::isSimplePower(math::PowFOp op) {
  APFloat exponent(0.0);
  if (!matchPattern(op.getRhs(), m_ConstantFloat(&exponent)))
    return false;
  return llvm::is_contained({-2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0, 3.0},
                            exponent.convertToDouble());
}

/// Emits 2^(y * log2(|x|)). The result has the sign of x if y is odd. It is NaN
/// if x is negative and y is not an integer. It is 1 if x is 1 or y is 0,
/// whatever the other operand is.
static FormulaValue emitPow(ArrayRef<FormulaValue> operands) {
  FormulaValue x = operands[0], y = operands[1];
  FormulaValue log = emitLog2(x.abs().toF64());
  // Infinity is replaced by a large number, because infinity times 0 would be
  // NaN.
  FormulaValue exponent = y.clamp(-0x1p127, 0x1p127).toF64() * log;
  FormulaValue power = emitExp2(exponent.clamp(-160, 160)).getValue().toF32();
  FormulaValue half = y * 0.5;
  FormulaValue ofInteger =
      (half.trunc() == half).select(power, power.withSignOf(x));
  FormulaValue isNegative = (x < 0) & (x > -kInfinity);
  power = (y.trunc() == y).select(ofInteger, isNegative.select(kNaN, power));
  return ((x == 1) | (y == 0)).select(1, power);
}

/// Uses Newton's iteration for the reciprocal of the root. It starts from the
/// bits of the number with an error of 3.4 %. After three steps the error is
/// 2.7e-10.
static FormulaValue emitCbrt(ArrayRef<FormulaValue> operands) {
  FormulaValue x = operands[0], size = x.abs(), wide = size.toF64();
  FormulaValue high = (wide.toBits() >> 32).toI32();
  FormulaValue guess = high.constant(0x553ef0fc) - high / high.constant(3);
  FormulaValue inverse = (guess.toI64() << 32).toFloat();
  for (unsigned step = 0; step != 3; ++step) {
    FormulaValue error = (wide * inverse).fma(-(inverse * inverse), 1.0);
    inverse = (error * inverse).fma(1.0 / 3, inverse);
  }
  FormulaValue root = (wide * inverse * inverse).toF32().withSignOf(x);
  return ((size > 0) & (size < kInfinity)).select(root, x);
}

namespace {
/// Leaves powers that need less arithmetic to MLIR's patterns.
struct ExpandPow : ApplyFormula<math::PowFOp> {
  explicit ExpandPow(MLIRContext *context) : ApplyFormula(context, emitPow) {}

  LogicalResult matchAndRewrite(math::PowFOp op,
                                PatternRewriter &rewriter) const override {
    if (isSimplePower(op))
      return failure();
    return ApplyFormula::matchAndRewrite(op, rewriter);
  }
};
} // namespace

void grout::populatePowerPatterns(RewritePatternSet &patterns) {
  patterns.add<ExpandPow>(patterns.getContext());
  addFormula<math::CbrtOp>(patterns, emitCbrt);
}
