//===- ExpandDeviceMath.cpp - Math functions without a library ------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "DeviceLibrary.h"
#include "FloatFunctions.h"
#include "PTXPasses.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace grout;

/// Whether LLVM generates instructions for the op `name`.
static bool isInstruction(StringRef name) {
  return llvm::is_contained(
      {"math.absf", "math.ceil", "math.copysign", "math.floor", "math.fma",
       "math.rint", "math.round", "math.roundeven", "math.sqrt", "math.trunc"},
      name);
}

/// Whether `op` is a math function of floats for which there is no instruction.
static bool isFloatFunction(Operation *op) {
  return isa_and_nonnull<math::MathDialect>(op->getDialect()) &&
         !isInstruction(op->getName().getStringRef()) &&
         llvm::any_of(op->getResultTypes(), [](Type type) {
           return isa<FloatType>(getElementTypeOrSelf(type));
         });
}

static InFlightDiagnostic refuse(Operation *op) {
  return op->emitOpError() << "of " << op->getResult(0).getType()
                           << " has no lowering for GPUs";
}

/// Whether `op`, a math function, is of f64 and cannot become arithmetic in
/// f64: the polynomials of MLIR have only the accuracy of f32.
static bool needsLibrary(Operation *op) {
  auto power = dyn_cast<math::PowFOp>(op);
  return getElementTypeOrSelf(op->getResult(0).getType()).isF64() &&
         !isa<math::RsqrtOp, math::FPowIOp>(op) &&
         !(power && isSimplePower(power));
}

/// Returns the declaration of `name` in `module`, with the types of `op`. Adds
/// it if it is missing.
static LLVM::LLVMFuncOp declare(gpu::GPUModuleOp module, StringRef name,
                                Operation *op) {
  if (auto known = module.lookupSymbol<LLVM::LLVMFuncOp>(name))
    return known;
  auto builder = OpBuilder::atBlockBegin(module.getBody());
  auto type = LLVM::LLVMFunctionType::get(
      op->getResult(0).getType(), llvm::to_vector(op->getOperandTypes()));
  return LLVM::LLVMFuncOp::create(builder, module.getLoc(), name, type);
}

/// Replaces `op` by a call of libdevice, if it needs one.
static LogicalResult callLibrary(gpu::GPUModuleOp module, Operation *op) {
  if (!needsLibrary(op))
    return success();
  std::string name = getDeviceFunction(op);
  if (name.empty() || !op->getResult(0).getType().isF64() ||
      !findDeviceLibrary())
    return refuse(op) << " without CUDA's libdevice; set CUDA_HOME, compute it "
                         "in f32, or compile for the CPU";
  OpBuilder builder(op);
  auto call = LLVM::CallOp::create(
      builder, op->getLoc(), declare(module, name, op), op->getOperands());
  op->replaceAllUsesWith(call);
  op->erase();
  return success();
}

/// Calls `visit` for the math functions in `module` until it fails for one.
static LogicalResult
visitFunctions(gpu::GPUModuleOp module,
               function_ref<LogicalResult(Operation *)> visit) {
  WalkResult result = module.walk([&](Operation *op) {
    return isFloatFunction(op) ? WalkResult(visit(op)) : WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

namespace {

/// Turns functions of `math` into arithmetic, with the accuracy of f32, and
/// functions of f64 into calls of libdevice.
struct ExpandDeviceMath
    : PassWrapper<ExpandDeviceMath, OperationPass<gpu::GPUModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ExpandDeviceMath)

  StringRef getArgument() const override { return "expand-device-math"; }
  StringRef getDescription() const override {
    return "turn math functions that are not instructions into arithmetic";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<arith::ArithDialect, LLVM::LLVMDialect, math::MathDialect,
                    vector::VectorDialect>();
  }

  void runOnOperation() override {
    // This comes first, before patterns turn an op into ops that the user did
    // not write.
    if (failed(visitFunctions(getOperation(), [&](Operation *op) {
          return callLibrary(getOperation(), op);
        })))
      return signalPassFailure();
    RewritePatternSet extensions(&getContext());
    populateMathF32ExpansionPatterns(
        extensions, [](StringRef name) { return !isInstruction(name); });
    RewritePatternSet formulas(&getContext());
    populateTrigonometryPatterns(formulas);
    populateInverseTrigonometryPatterns(formulas);
    populateExponentialPatterns(formulas);
    populateLogarithmPatterns(formulas);
    populatePowerPatterns(formulas);
    // MLIR's patterns for these functions are as accurate.
    math::populateExpansionPatterns(formulas, {"powf", "rsqrt", "fpowi"});
    populateMathPolynomialApproximationPatterns(formulas, [](StringRef name) {
      return llvm::is_contained({"math.acos", "math.erfc", "math.log1p"}, name);
    });
    // The two sets run one after the other, because exponents must be constants
    // of f32 for the second.
    if (failed(applyPatternsGreedily(getOperation(), std::move(extensions))) ||
        failed(applyPatternsGreedily(getOperation(), std::move(formulas))))
      return signalPassFailure();

    if (failed(visitFunctions(getOperation(), [](Operation *op) {
          return LogicalResult(refuse(op));
        })))
      signalPassFailure();
  }
};

} // namespace

std::unique_ptr<Pass> grout::createExpandDeviceMath() {
  return std::make_unique<ExpandDeviceMath>();
}
