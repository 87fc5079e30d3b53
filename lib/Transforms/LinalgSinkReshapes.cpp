//===- LinalgSinkReshapes.cpp - Elementwise ops on unreshaped products ----===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Transforms/Passes.h"

#include "grout/Dialect/TGemm/IR/TGemm.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "linalg-sink-reshapes"

namespace grout {
#define GEN_PASS_DEF_LINALGSINKRESHAPES
#include "grout/Transforms/Passes.h.inc"
} // namespace grout

using namespace mlir;
using namespace grout;

static bool isPointwise(linalg::LinalgOp op) {
  return op.hasPureTensorSemantics() && op->getNumResults() == 1 &&
         op.getNumParallelLoops() == op.getNumLoops() &&
         op.getIndexingMapMatchingResult(op->getResult(0)).isIdentity();
}

/// Whether a product, or elementwise ops of what it computes, make `value`.
static bool isOfProduct(Value value) {
  SmallVector<Value> left = {value};
  llvm::SmallPtrSet<Operation *, 8> seen;
  while (!left.empty()) {
    Value made = left.pop_back_val();
    if (made.getDefiningOp<tgemm::ProductOpInterface>())
      return true;
    auto op = made.getDefiningOp<linalg::LinalgOp>();
    if (!op || !seen.insert(op).second)
      continue;
    if (linalg::isaContractionOpInterface(op))
      return true;
    if (isPointwise(op))
      llvm::append_range(left, op.getDpsInputs());
  }
  return false;
}

/// Whether the reshape that makes `operand` is to go behind the op that uses
/// it.
static bool isSunk(OpOperand *operand) {
  auto reshape = operand->get().getDefiningOp<tensor::ExpandShapeOp>();
  auto user = dyn_cast<linalg::GenericOp>(operand->getOwner());
  return reshape && user && isPointwise(user) &&
         reshape.getSrcType().hasStaticShape() && isOfProduct(reshape.getSrc());
}

/// Where an op that reads `expanded` by `map` reads what that expands; null if
/// it expands more than by dimensions of one element.
static AffineMap getSourceMap(tensor::ExpandShapeOp expanded, AffineMap map) {
  SmallVector<AffineExpr> exprs;
  for (const ReassociationIndices &group : expanded.getReassociationIndices()) {
    AffineExpr read = map.getResult(group.front());
    unsigned larger = 0;
    for (int64_t dim : group)
      if (expanded.getResultType().getDimSize(dim) != 1) {
        read = map.getResult(dim);
        ++larger;
      }
    if (larger > 1)
      return {};
    exprs.push_back(read);
  }
  return AffineMap::get(map.getNumDims(), 0, exprs, map.getContext());
}

namespace {

/// Lets an elementwise op that reads an operand at a constant place, along
/// dimensions that a reshape has added, read it without them. Reshapes do not
/// move behind what reads constant places.
struct ReadUnexpanded : OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    if (!isPointwise(op))
      return failure();
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    bool changed = false;
    for (OpOperand *operand : op.getDpsInputOperands()) {
      AffineMap &map = maps[operand->getOperandNumber()];
      auto expanded = operand->get().getDefiningOp<tensor::ExpandShapeOp>();
      if (!expanded ||
          llvm::none_of(map.getResults(), llvm::IsaPred<AffineConstantExpr>))
        continue;
      AffineMap source = getSourceMap(expanded, map);
      if (!source)
        continue;
      map = source;
      rewriter.modifyOpInPlace(op, [&] { operand->set(expanded.getSrc()); });
      changed = true;
    }
    if (changed)
      rewriter.modifyOpInPlace(op, [&] {
        op.setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps));
      });
    return success(changed);
  }
};

struct LinalgSinkReshapes
    : grout::impl::LinalgSinkReshapesBase<LinalgSinkReshapes> {
  using Base::Base;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    linalg::populateFoldReshapeOpsByCollapsingPatterns(
        patterns, [&](OpOperand *operand) {
          bool sinks = isSunk(operand);
          if (sinks) {
            LDBG() << operand->getOwner()->getLoc()
                   << " works on what is not reshaped yet";
            ++numSunk;
          }
          return sinks;
        });
    patterns.add<ReadUnexpanded>(&getContext());
    // What is expanded and then collapsed is as it was.
    tensor::CollapseShapeOp::getCanonicalizationPatterns(patterns,
                                                         &getContext());
    // Each iteration may move a reshape behind one op only.
    GreedyRewriteConfig config;
    config.setMaxIterations(GreedyRewriteConfig::kNoLimit);
    if (failed(
            applyPatternsGreedily(getOperation(), std::move(patterns), config)))
      signalPassFailure();
  }
};

} // namespace
