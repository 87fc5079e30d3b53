//===- TSyncToCPU.cpp - Waits and posts through the runtime ---------------===//
//
// Part of Grout. On the CPU the semaphores are the grout_tile_context that a
// tile body receives, and both ops call a function pointer of it; see
// grout-c/TileABI.h. Memory order is the runtime's duty.
//
//===----------------------------------------------------------------------===//

#include "grout-c/TileABI.h"
#include "grout/Conversion/Passes.h"
#include "grout/Dialect/TSync/IR/TSync.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Transforms/DialectConversion.h"
#include <cstddef>

namespace grout {
#define GEN_PASS_DEF_CONVERTTSYNCTOCPU
#include "grout/Conversion/Passes.h.inc"
} // namespace grout

using namespace mlir;
using namespace grout;

/// Positions of the function pointers among the fields of grout_tile_context.
static constexpr int32_t kWaitField =
    offsetof(grout_tile_context, wait) / sizeof(void *);
static constexpr int32_t kPostField =
    offsetof(grout_tile_context, post) / sizeof(void *);

/// Emits a call of function pointer `field` of `context` with the context and
/// `arguments`.
static void emitContextCall(OpBuilder &builder, Location loc, Value context,
                            int32_t field, ValueRange arguments) {
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
  auto contextType = LLVM::LLVMStructType::getLiteral(
      builder.getContext(), {pointer, pointer, pointer});
  Value place = LLVM::GEPOp::create(builder, loc, pointer, contextType, context,
                                    ArrayRef<LLVM::GEPArg>{0, field});
  Value callee = LLVM::LoadOp::create(builder, loc, pointer, place);
  SmallVector<Value> operands = {callee, context};
  operands.append(arguments.begin(), arguments.end());
  SmallVector<Type> types = {pointer};
  llvm::append_range(types, arguments.getTypes());
  auto calleeType = LLVM::LLVMFunctionType::get(
      LLVM::LLVMVoidType::get(builder.getContext()), types);
  LLVM::CallOp::create(builder, loc, calleeType, operands);
}

/// Data that tiles share on the CPU is written by ordinary stores.
template <typename OpTy> static LogicalResult checkProxy(OpTy op) {
  if (op.getProxy() == tsync::Proxy::generic)
    return success();
  return op.emitOpError() << "has proxy(" << stringifyProxy(op.getProxy())
                          << "), which the CPU does not have";
}

namespace {

struct WaitToCall : OpConversionPattern<tsync::WaitOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(tsync::WaitOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    emitContextCall(rewriter, op.getLoc(), adaptor.getSemaphores(), kWaitField,
                    {adaptor.getIndex(), adaptor.getCount()});
    rewriter.eraseOp(op);
    return success();
  }
};

struct PostToCall : OpConversionPattern<tsync::PostOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(tsync::PostOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    emitContextCall(rewriter, op.getLoc(), adaptor.getSemaphores(), kPostField,
                    adaptor.getIndex());
    rewriter.eraseOp(op);
    return success();
  }
};

struct ConvertTSyncToCPU
    : grout::impl::ConvertTSyncToCPUBase<ConvertTSyncToCPU> {
  using Base::Base;

  void runOnOperation() override {
    WalkResult checked = getOperation()->walk([](Operation *op) {
      LogicalResult result = success();
      if (auto wait = dyn_cast<tsync::WaitOp>(op))
        result = checkProxy(wait);
      else if (auto post = dyn_cast<tsync::PostOp>(op))
        result = checkProxy(post);
      return failed(result) ? WalkResult::interrupt() : WalkResult::advance();
    });
    if (checked.wasInterrupted())
      return signalPassFailure();

    TypeConverter converter;
    converter.addConversion([](Type type) { return type; });
    converter.addConversion([](tsync::SemaphoresType type) -> Type {
      return LLVM::LLVMPointerType::get(type.getContext());
    });
    converter.addTargetMaterialization(
        [](OpBuilder &builder, Type type, ValueRange inputs, Location loc) {
          return UnrealizedConversionCastOp::create(builder, loc, type, inputs)
              .getResult(0);
        });
    ConversionTarget target(getContext());
    target.addLegalDialect<LLVM::LLVMDialect>();
    target.addIllegalOp<tsync::WaitOp, tsync::PostOp>();
    RewritePatternSet patterns(&getContext());
    patterns.add<WaitToCall, PostToCall>(converter, &getContext());
    if (failed(applyPartialConversion(getOperation(), target,
                                      std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
