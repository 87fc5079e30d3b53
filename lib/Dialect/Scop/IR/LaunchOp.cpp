//===- LaunchOp.cpp - scop.launch -----------------------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Dialect/Scop/IR/Scop.h"

#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace grout::scop;

YieldOp LaunchOp::getYield() {
  return cast<YieldOp>(getBody().front().getTerminator());
}

SmallVector<KernelOp> grout::scop::getLaunchedKernels(Operation *op) {
  if (auto kernel = dyn_cast<KernelOp>(op))
    return {kernel};
  if (auto launch = dyn_cast<LaunchOp>(op))
    return llvm::to_vector(launch.getKernels());
  return {};
}

LogicalResult LaunchOp::verifyRegions() {
  Block &block = getBody().front();
  auto yield = dyn_cast<YieldOp>(block.getTerminator());
  if (!yield)
    return emitOpError("body must end with scop.yield");
  if (yield.getOperandTypes() != getResultTypes())
    return yield.emitOpError() << "must yield (" << getResultTypes()
                               << "), the results of its launch, but yields ("
                               << yield.getOperandTypes() << ")";
  for (auto [index, value] : llvm::enumerate(yield.getValues()))
    if (Operation *op = value.getDefiningOp(); !op || op->getBlock() != &block)
      return yield.emitOpError()
             << "value " << index << " is no result of a kernel of its launch";
  if (getKernels().empty())
    return emitOpError("needs a kernel");
  for (Operation &op : block.without_terminator()) {
    auto kernel = dyn_cast<KernelOp>(op);
    if (!kernel || !kernel.hasTensors())
      return op.emitOpError("is not allowed in a launch, which holds "
                            "scop.kernel ops on tensors only");
    for (OpOperand &operand : op.getOpOperands())
      if (Operation *source = operand.get().getDefiningOp();
          source && source->getBlock() == &block)
        return op.emitOpError()
               << "operand " << operand.getOperandNumber()
               << " is a result of a kernel of the same launch; what one "
                  "computes is there for others only when the launch has ended";
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Canonicalisation
//===----------------------------------------------------------------------===//

namespace {

/// Replaces a launch of a single kernel by that kernel.
struct InlineSingleKernel : OpRewritePattern<LaunchOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(LaunchOp launch,
                                PatternRewriter &rewriter) const override {
    if (!llvm::hasSingleElement(launch.getKernels()))
      return failure();
    SmallVector<Value> values(launch.getYield().getValues());
    rewriter.eraseOp(launch.getYield());
    rewriter.inlineBlockBefore(&launch.getBody().front(), launch);
    rewriter.replaceOp(launch, values);
    return success();
  }
};

/// Removes results without users, so that kernels that have no other results go
/// away.
struct DropUnusedResults : OpRewritePattern<LaunchOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(LaunchOp launch,
                                PatternRewriter &rewriter) const override {
    SmallVector<Value> values, kept;
    for (auto [value, result] :
         llvm::zip_equal(launch.getYield().getValues(), launch.getResults()))
      if (!result.use_empty()) {
        values.push_back(value);
        kept.push_back(result);
      }
    if (kept.size() == launch.getNumResults())
      return failure();
    auto smaller = LaunchOp::create(rewriter, launch.getLoc(),
                                    ValueRange(kept).getTypes());
    smaller->setDiscardableAttrs(launch->getDiscardableAttrDictionary());
    rewriter.modifyOpInPlace(launch.getYield(), [&] {
      launch.getYield().getValuesMutable().assign(values);
    });
    rewriter.inlineRegionBefore(launch.getBody(), smaller.getBody(),
                                smaller.getBody().end());
    for (auto [result, replacement] :
         llvm::zip_equal(kept, smaller.getResults()))
      rewriter.replaceAllUsesWith(result, replacement);
    rewriter.eraseOp(launch);
    return success();
  }
};

} // namespace

void LaunchOp::getCanonicalizationPatterns(RewritePatternSet &results,
                                           MLIRContext *context) {
  results.add<InlineSingleKernel, DropUnusedResults>(context);
}
