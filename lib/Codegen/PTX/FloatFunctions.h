//===- FloatFunctions.h - Functions of f32 as arithmetic --------*- C++ -*-===//
//
// Part of Grout.
//
// Rewrite patterns that turn functions of `math` on f32, scalars and vectors,
// into arithmetic without branches. Results are within 4 units in the last
// place of the exact result for all arguments, including subnormal and huge
// arguments. NaNs, infinities and signs of zeros are as in C. If f32 would lose
// bits, values are f64, which data-centre GPUs compute at half the rate of f32.
//
// Coefficients of polynomials are minimax. They were fitted in f64 to relative
// errors, by Lawson's iteration of weighted least squares. Then they were
// rounded to f32 one by one, lowest power first, and the others fitted again
// each time.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_CODEGEN_PTX_FLOATFUNCTIONS_H
#define GROUT_LIB_CODEGEN_PTX_FLOATFUNCTIONS_H

#include "Formula.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/PatternMatch.h"

namespace grout {

/// Adds patterns for sin, cos and tan.
void populateTrigonometryPatterns(mlir::RewritePatternSet &patterns);
/// Adds patterns for asin, atan and atan2.
void populateInverseTrigonometryPatterns(mlir::RewritePatternSet &patterns);
/// Adds patterns for exp, exp2, expm1, sinh, cosh, tanh and erf.
void populateExponentialPatterns(mlir::RewritePatternSet &patterns);
/// Adds patterns for log, log2, log10, acosh, asinh and atanh.
void populateLogarithmPatterns(mlir::RewritePatternSet &patterns);
/// Adds patterns for cbrt, and for powf except simple powers.
void populatePowerPatterns(mlir::RewritePatternSet &patterns);

/// Whether `op` has a constant exponent for which MLIR's patterns emit only
/// multiplications, a division or a square root.
bool isSimplePower(mlir::math::PowFOp op);

/// Emits the base-2 logarithm of an f64, with a relative error of 2^-38.
FormulaValue emitLog2(FormulaValue x);

/// A number 2^k * (1 + `fraction`), with an integer k, and an f32 `fraction` of
/// at most 0.42.
struct Exponential {
  /// k + 1.5 * 2^23. Its low bits are the low bits of k.
  FormulaValue exponent;
  FormulaValue fraction;

  /// Emit the number, and the number minus 1, as f64, with the relative error
  /// of `fraction`.
  FormulaValue getValue() const;
  FormulaValue getValueLessOne() const;
};

/// Emits 2^x of an f64 from -160 to 160.
Exponential emitExp2(FormulaValue x);

/// Builds a function of operands of f32.
using Formula = FormulaValue (*)(llvm::ArrayRef<FormulaValue> operands);

/// Rewrites ops of type `Op` on f32 as `formula`.
template <typename Op> struct ApplyFormula : mlir::OpRewritePattern<Op> {
  ApplyFormula(mlir::MLIRContext *context, Formula formula)
      // The benefit is higher than that of MLIR's patterns.
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

/// Adds the pattern that rewrites ops of type `Op` on f32 as `formula`.
template <typename Op>
void addFormula(mlir::RewritePatternSet &patterns, Formula formula) {
  patterns.add<ApplyFormula<Op>>(patterns.getContext(), formula);
}

} // namespace grout

#endif // GROUT_LIB_CODEGEN_PTX_FLOATFUNCTIONS_H
