//===- TSyncToCPU.cpp - Waits and posts through the runtime ---------------===//
//
// Part of Grout. On the CPU the semaphores are the grout_tile_context that a
// tile body receives, and both ops call a function pointer of it; see
// grout-c/TileABI.h. Memory order is the runtime's duty.
//
//===----------------------------------------------------------------------===//

#include "grout/Conversion/Common/TileContext.h"
#include "grout/Conversion/Passes.h"
#include "grout/Dialect/TSync/IR/TSync.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Transforms/DialectConversion.h"

namespace grout {
#define GEN_PASS_DEF_CONVERTTSYNCTOCPU
#include "grout/Conversion/Passes.h.inc"
} // namespace grout

using namespace mlir;
using namespace grout;

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
    emitContextCall(rewriter, op.getLoc(), adaptor.getSemaphores(),
                    ContextFunction::wait,
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
    emitContextCall(rewriter, op.getLoc(), adaptor.getSemaphores(),
                    ContextFunction::post, adaptor.getIndex());
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
