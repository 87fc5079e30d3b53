//===- ExpandCancellingMath.cpp - expm1 and log1p near zero ---------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Transforms/Passes.h"

#include "mlir/Conversion/MathToLibm/MathToLibm.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/DialectConversion.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace grout {
#define GEN_PASS_DEF_EXPANDCANCELLINGMATH
#include "grout/Transforms/Passes.h.inc"
} // namespace grout

namespace {

struct ExpandCancellingMath
    : grout::impl::ExpandCancellingMathBase<ExpandCancellingMath> {
  void runOnOperation() override {
    // In f32, expand them to arithmetic, which can be vectorised.
    RewritePatternSet arithmetic(&getContext());
    populateMathPolynomialApproximationPatterns(arithmetic, [](StringRef name) {
      return name == math::ExpM1Op::getOperationName() ||
             name == math::Log1pOp::getOperationName();
    });
    if (failed(applyPatternsGreedily(getOperation(), std::move(arithmetic))))
      return signalPassFailure();

    RewritePatternSet calls(&getContext());
    populateMathToLibmConversionPatterns(calls);
    ConversionTarget target(getContext());
    target.addIllegalOp<math::ExpM1Op, math::Log1pOp>();
    target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
    if (failed(
            applyPartialConversion(getOperation(), target, std::move(calls))))
      signalPassFailure();
  }
};

} // namespace
