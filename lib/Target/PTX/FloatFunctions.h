//===- FloatFunctions.h - Functions of f32 as arithmetic --------*- C++ -*-===//
//
// Part of Grout.
//
// Rewrite patterns of functions of `math` on f32, scalars and vectors, as
// arithmetic without branches. Results are within 4 units in the last place of
// the true ones for all arguments, subnormal and huge ones included; NaNs,
// infinities and signs of zeros are as in C. Where f32 would lose bits, values
// are f64, which data-centre GPUs compute at half the rate of f32. Coefficients
// of polynomials are minimax: fitted in f64 by Lawson's iteration of weighted
// least squares to relative errors, then rounded to f32 one by one, lowest
// power first, with the others fitted again.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_TARGET_PTX_FLOATFUNCTIONS_H
#define GROUT_LIB_TARGET_PTX_FLOATFUNCTIONS_H

#include "Formula.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/PatternMatch.h"

namespace grout {

/// sin, cos and tan.
void populateTrigonometryPatterns(mlir::RewritePatternSet &patterns);
/// asin, atan and atan2.
void populateInverseTrigonometryPatterns(mlir::RewritePatternSet &patterns);
/// exp, exp2, expm1, sinh, cosh, tanh and erf.
void populateExponentialPatterns(mlir::RewritePatternSet &patterns);
/// log, log2, log10, acosh, asinh and atanh.
void populateLogarithmPatterns(mlir::RewritePatternSet &patterns);
/// cbrt, and powf unless products and roots do.
void populatePowerPatterns(mlir::RewritePatternSet &patterns);

/// Whether `op` is a root, a product or a quotient.
bool isSimplePower(mlir::math::PowFOp op);

/// The logarithm to base 2 of an f64, with a relative error of 2^-38.
FormulaValue emitLog2(FormulaValue x);

/// A number of the form 2^k * (1 + `fraction`), with an integer k and a
/// fraction of at most 0.42, of f32.
struct Exponential {
  /// k + 1.5 * 2^23, whose low bits are those of k.
  FormulaValue exponent;
  FormulaValue fraction;

  /// The number as f64, and that less 1, with the relative error of `fraction`.
  FormulaValue getValue() const;
  FormulaValue getValueLessOne() const;
};

/// 2^x of an f64 from -160 to 160.
Exponential emitExp2(FormulaValue x);

/// Builds a function of operands of f32.
using Formula = FormulaValue (*)(llvm::ArrayRef<FormulaValue> operands);

/// Makes `formula` of ops of type `Op` on f32.
template <typename Op> struct ApplyFormula : mlir::OpRewritePattern<Op> {
  ApplyFormula(mlir::MLIRContext *context, Formula formula)
      // Before upstream's patterns.
      : mlir::OpRewritePattern<Op>(context, /*benefit=*/2), formula(formula) {}

  mlir::LogicalResult
  matchAndRewrite(Op op, mlir::PatternRewriter &rewriter) const override {
    if (!mlir::getElementTypeOrSelf(op.getType()).isF32())
      return mlir::failure();
    mlir::ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    llvm::SmallVector<FormulaValue> operands;
    for (mlir::Value operand : op->getOperands())
      operands.emplace_back(b, operand);
    rewriter.replaceOp(op, mlir::Value(formula(operands)));
    return mlir::success();
  }

private:
  Formula formula;
};

/// Adds the pattern that makes `formula` of ops of type `Op` on f32.
template <typename Op>
void addFormula(mlir::RewritePatternSet &patterns, Formula formula) {
  patterns.add<ApplyFormula<Op>>(patterns.getContext(), formula);
}

} // namespace grout

#endif // GROUT_LIB_TARGET_PTX_FLOATFUNCTIONS_H
