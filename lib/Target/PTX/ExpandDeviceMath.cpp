//===- ExpandDeviceMath.cpp - Math functions without a library ------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "PTXPasses.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace grout;

/// Whether LLVM generates instructions for the f32 op called `name`.
static bool isInstruction(StringRef name) {
  return llvm::is_contained({"math.absf", "math.ceil", "math.copysign",
                             "math.floor", "math.fma", "math.rint",
                             "math.roundeven", "math.sqrt", "math.trunc"},
                            name);
}

namespace {

/// Turns functions of `math` into arithmetic, to the accuracy of f32.
struct ExpandDeviceMath
    : PassWrapper<ExpandDeviceMath, OperationPass<gpu::GPUModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ExpandDeviceMath)

  StringRef getArgument() const override { return "expand-device-math"; }
  StringRef getDescription() const override {
    return "turn math functions that are not instructions into arithmetic";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<arith::ArithDialect, math::MathDialect,
                    vector::VectorDialect>();
  }

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    auto isFunction = [](StringRef name) { return !isInstruction(name); };
    math::populateExpansionPatterns(
        patterns, {"sinh", "cosh", "tan", "asinh", "acosh", "atanh", "powf",
                   "exp2", "rsqrt", "fpowi", "ipowi", "round"});
    populateMathF32ExpansionPatterns(patterns, isFunction);
    populateMathPolynomialApproximationPatterns(patterns, isFunction);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      return signalPassFailure();

    WalkResult result = getOperation().walk([](Operation *op) {
      if (!isa_and_nonnull<math::MathDialect>(op->getDialect()) ||
          isInstruction(op->getName().getStringRef()) ||
          llvm::none_of(op->getResultTypes(), [](Type type) {
            return isa<FloatType>(getElementTypeOrSelf(type));
          }))
        return WalkResult::advance();
      op->emitOpError() << "of " << op->getResult(0).getType()
                        << " has no lowering for GPUs";
      return WalkResult::interrupt();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};

} // namespace

std::unique_ptr<Pass> grout::createExpandDeviceMath() {
  return std::make_unique<ExpandDeviceMath>();
}
