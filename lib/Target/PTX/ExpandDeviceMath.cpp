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
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace grout;

/// Whether LLVM generates instructions for the op called `name`.
static bool isInstruction(StringRef name) {
  return llvm::is_contained(
      {"math.absf", "math.ceil", "math.copysign", "math.floor", "math.fma",
       "math.rint", "math.round", "math.roundeven", "math.sqrt", "math.trunc"},
      name);
}

/// Whether `op` is a function of floats that is no instruction.
static bool isFloatFunction(Operation *op) {
  return isa_and_nonnull<math::MathDialect>(op->getDialect()) &&
         !isInstruction(op->getName().getStringRef()) &&
         llvm::any_of(op->getResultTypes(), [](Type type) {
           return isa<FloatType>(getElementTypeOrSelf(type));
         });
}

static LogicalResult refuse(Operation *op) {
  return op->emitOpError()
         << "of " << op->getResult(0).getType()
         << " has no lowering for GPUs; compute it in f32, or compile for the "
            "CPU";
}

/// Whether `op` becomes arithmetic in its own type, or may: some powers with a
/// constant exponent do.
static bool mayBeExact(Operation *op) {
  auto power = dyn_cast<math::PowFOp>(op);
  return isa<math::RsqrtOp, math::FPowIOp>(op) ||
         (power && matchPattern(power.getRhs(), m_Constant()));
}

/// Refuses `op`, a function, if it is of f64: what is left of it would be
/// polynomials with the accuracy of f32.
static LogicalResult verifyAccuracy(Operation *op) {
  bool isDouble = getElementTypeOrSelf(op->getResult(0).getType()).isF64();
  return isDouble && !mayBeExact(op) ? refuse(op) : success();
}

/// Calls `check` for the functions in `module` until one fails.
static LogicalResult
checkFunctions(gpu::GPUModuleOp module,
               function_ref<LogicalResult(Operation *)> check) {
  WalkResult result = module.walk([&](Operation *op) {
    return isFloatFunction(op) ? WalkResult(check(op)) : WalkResult::advance();
  });
  return failure(result.wasInterrupted());
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
    // Before an op becomes others that nobody wrote.
    if (failed(checkFunctions(getOperation(), verifyAccuracy)))
      return signalPassFailure();
    RewritePatternSet patterns(&getContext());
    auto isFunction = [](StringRef name) { return !isInstruction(name); };
    math::populateExpansionPatterns(patterns, {"sinh", "cosh", "tan", "asinh",
                                               "acosh", "atanh", "powf", "exp2",
                                               "rsqrt", "fpowi"});
    populateMathF32ExpansionPatterns(patterns, isFunction);
    populateMathPolynomialApproximationPatterns(patterns, isFunction);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      return signalPassFailure();

    if (failed(checkFunctions(getOperation(), refuse)))
      signalPassFailure();
  }
};

} // namespace

std::unique_ptr<Pass> grout::createExpandDeviceMath() {
  return std::make_unique<ExpandDeviceMath>();
}
