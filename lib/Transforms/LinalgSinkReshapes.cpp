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

/// Whether `value` is computed by a product, or from one by elementwise ops.
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

/// Whether to move the reshape that defines `operand` behind the op that uses
/// it.
static bool isSunk(OpOperand *operand) {
  auto reshape = operand->get().getDefiningOp<tensor::ExpandShapeOp>();
  auto user = dyn_cast<linalg::GenericOp>(operand->getOwner());
  return reshape && user && isPointwise(user) &&
         reshape.getSrcType().hasStaticShape() && isOfProduct(reshape.getSrc());
}

/// Returns the map by which an op that reads `expanded` by `map` can read the
/// source of `expanded`; null if the expansion adds other dimensions than those
/// of one element.
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

/// If an elementwise op reads an operand at a constant place along dimensions
/// that a reshape has added, makes it read the operand without them. Reshapes
/// cannot move behind ops that read constant places.
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

/// Folds the remainder of an iterator by at least its extent. A reshape that
/// moves behind an op joins the op's loops, also with those of extent 1, and
/// iterators become remainders.
struct FoldRemainder : OpRewritePattern<arith::RemSIOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::RemSIOp op,
                                PatternRewriter &rewriter) const override {
    auto iterator = op.getLhs().getDefiningOp<linalg::IndexOp>();
    APInt divisor;
    if (!iterator || !matchPattern(op.getRhs(), m_ConstantInt(&divisor)))
      return failure();
    auto owner = cast<linalg::LinalgOp>(iterator->getParentOp());
    int64_t extent = owner.getStaticLoopRanges()[iterator.getDim()];
    if (ShapedType::isDynamic(extent) || divisor.slt(extent))
      return failure();
    rewriter.replaceOp(op, iterator);
    return success();
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
    patterns.add<ReadUnexpanded, FoldRemainder>(&getContext());
    // A collapse cancels an expansion.
    tensor::CollapseShapeOp::getCanonicalizationPatterns(patterns,
                                                         &getContext());
    // An iteration may move a reshape behind only one op.
    GreedyRewriteConfig config;
    config.setMaxIterations(GreedyRewriteConfig::kNoLimit);
    if (failed(
            applyPatternsGreedily(getOperation(), std::move(patterns), config)))
      signalPassFailure();
  }
};

} // namespace
