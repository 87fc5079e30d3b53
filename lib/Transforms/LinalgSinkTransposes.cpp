//===- LinalgSinkTransposes.cpp - Images with channels last ---------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Transforms/Passes.h"

#include "grout/Dialect/TGemm/IR/TGemm.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "linalg-sink-transposes"

namespace grout {
#define GEN_PASS_DEF_LINALGSINKTRANSPOSES
#include "grout/Transforms/Passes.h.inc"
} // namespace grout

using namespace mlir;
using namespace grout;

/// Whether `op` computes each element of its only result from elements of
/// tensors, without knowing their indices.
static bool isPointwise(linalg::GenericOp op) {
  return op.hasPureTensorSemantics() && op->getNumResults() == 1 &&
         op.getNumParallelLoops() == op.getNumLoops() &&
         !op.hasIndexSemantics() &&
         op.getIndexingMapMatchingResult(op->getResult(0)).isIdentity();
}

/// Whether `value` is computed by a convolution, or from one by elementwise
/// ops.
static bool isOfConvolution(Value value) {
  SmallVector<Value> left = {value};
  llvm::SmallPtrSet<Operation *, 8> seen;
  while (!left.empty()) {
    Operation *op = left.pop_back_val().getDefiningOp();
    if (!op || !seen.insert(op).second)
      continue;
    if (auto product = dyn_cast<tgemm::ProductOpInterface>(op);
        product && product.loadsPixels())
      return true;
    if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op))
      left.push_back(op->getOperand(0));
    else if (auto generic = dyn_cast<linalg::GenericOp>(op);
             generic && isPointwise(generic))
      llvm::append_range(left, generic.getDpsInputs());
  }
  return false;
}

/// Whether `op` moves the channels of images from behind rows and columns to
/// before them.
static bool isFromChannelsLast(linalg::TransposeOp op) {
  SmallVector<int64_t> order = {0};
  int64_t rank = op.getPermutation().size();
  order.push_back(rank - 1);
  llvm::append_range(order, llvm::seq<int64_t>(1, rank - 1));
  return rank > 2 && op.getPermutation() == ArrayRef(order);
}

/// Returns the transpose that should move behind `op`, or null. It transposes
/// the result of a convolution; or all operands that `op` reads as a whole are
/// transposed from channels last. Returns null if the move would transpose the
/// result of another convolution: that transpose would move next, and back
/// again.
static linalg::TransposeOp findSunk(linalg::GenericOp op) {
  linalg::TransposeOp sunk;
  bool isOfAll = true;
  for (OpOperand *operand : op.getDpsInputOperands()) {
    if (!op.getMatchingIndexingMap(operand).isIdentity())
      continue;
    auto found = operand->get().getDefiningOp<linalg::TransposeOp>();
    if (found && isIdentityPermutation(found.getPermutation()))
      found = {};
    bool isOfConv = found && isOfConvolution(found.getInput());
    isOfAll &= found && isFromChannelsLast(found);
    if (isOfConv && sunk && sunk.getPermutation() != found.getPermutation())
      return {};
    if (!found && isOfConvolution(operand->get()))
      return {};
    if (isOfConv || (isOfAll && !sunk))
      sunk = found;
  }
  return sunk && (isOfAll || isOfConvolution(sunk.getInput()))
             ? sunk
             : linalg::TransposeOp();
}

/// Returns `tensor` with dimension `order[i]` as dimension i.
static Value transpose(OpBuilder &builder, Location loc, Value tensor,
                       ArrayRef<int64_t> order) {
  // Two transposes that cancel are left out.
  if (auto other = tensor.getDefiningOp<linalg::TransposeOp>())
    if (ArrayRef(invertPermutationVector(order)) == other.getPermutation())
      return other.getInput();
  auto type = cast<RankedTensorType>(tensor.getType());
  Value init = tensor::EmptyOp::create(builder, loc,
                                       applyPermutation(type.getShape(), order),
                                       type.getElementType());
  return linalg::TransposeOp::create(builder, loc, tensor, init, order)
      ->getResult(0);
}

namespace {

/// Makes an elementwise op compute on the source of a transpose that is one of
/// its operands.
struct SinkTranspose : OpRewritePattern<linalg::GenericOp> {
  SinkTranspose(MLIRContext *context, llvm::Statistic &numSunk)
      : OpRewritePattern(context), numSunk(numSunk) {}

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    if (!isPointwise(op))
      return failure();
    linalg::TransposeOp sunk = findSunk(op);
    if (!sunk)
      return failure();
    LDBG() << op.getLoc() << " works on what is not transposed yet";

    Location loc = op.getLoc();
    // Dimension i of the op's loops is dimension order[i] of the source.
    ArrayRef<int64_t> order = sunk.getPermutation();
    SmallVector<int64_t> inverse = invertPermutationVector(order);
    SmallVector<AffineExpr> loops;
    for (int64_t dim : order)
      loops.push_back(rewriter.getAffineDimExpr(dim));
    AffineMap reorder = AffineMap::get(order.size(), 0, loops, getContext());
    SmallVector<Value> inputs;
    SmallVector<AffineMap> maps;
    for (OpOperand *operand : op.getDpsInputOperands()) {
      AffineMap map = op.getMatchingIndexingMap(operand);
      bool isWhole = map.isIdentity();
      inputs.push_back(isWhole
                           ? transpose(rewriter, loc, operand->get(), inverse)
                           : operand->get());
      maps.push_back(isWhole ? map : map.compose(reorder));
    }
    Value init = op.getDpsInits()[0];
    inputs.push_back(op.payloadUsesValueFromOperand(op.getDpsInitOperand(0))
                         ? transpose(rewriter, loc, init, inverse)
                         : createEmpty(rewriter, loc, init, inverse));
    maps.push_back(rewriter.getMultiDimIdentityMap(order.size()));
    auto moved = linalg::GenericOp::create(
        rewriter, loc, inputs.back().getType(), ArrayRef(inputs).drop_back(),
        inputs.back(), maps, op.getIteratorTypesArray());
    rewriter.inlineRegionBefore(op.getRegion(), moved.getRegion(),
                                moved.getRegion().begin());
    rewriter.replaceOp(op,
                       transpose(rewriter, loc, moved->getResult(0), order));
    ++numSunk;
    return success();
  }

private:
  static Value createEmpty(OpBuilder &builder, Location loc, Value like,
                           ArrayRef<int64_t> order) {
    auto type = cast<RankedTensorType>(like.getType());
    return tensor::EmptyOp::create(builder, loc,
                                   applyPermutation(type.getShape(), order),
                                   type.getElementType());
  }

  llvm::Statistic &numSunk;
};

/// Moves a transpose from channels last behind an op that takes a part of its
/// result, or pads it, with operands for each dimension.
template <typename OpT> struct SinkBehindPart : OpRewritePattern<OpT> {
  using OpRewritePattern<OpT>::OpRewritePattern;

  LogicalResult matchAndRewrite(OpT op,
                                PatternRewriter &rewriter) const override {
    auto moved = op.getSource().template getDefiningOp<linalg::TransposeOp>();
    if (!moved || !isFromChannelsLast(moved))
      return failure();
    ArrayRef<int64_t> order = moved.getPermutation();
    SmallVector<int64_t> inverse = invertPermutationVector(order);
    Value part = createPart(rewriter, op, moved.getInput(), inverse);
    if (!part)
      return failure();
    rewriter.replaceOp(op, transpose(rewriter, op.getLoc(), part, order));
    return success();
  }

private:
  static Value createPart(OpBuilder &builder, tensor::ExtractSliceOp op,
                          Value source, ArrayRef<int64_t> inverse) {
    if (op.getType().getRank() != op.getSourceType().getRank())
      return {};
    return tensor::ExtractSliceOp::create(
        builder, op.getLoc(), source,
        applyPermutation(op.getMixedOffsets(), inverse),
        applyPermutation(op.getMixedSizes(), inverse),
        applyPermutation(op.getMixedStrides(), inverse));
  }
  static Value createPart(OpBuilder &builder, tensor::PadOp op, Value source,
                          ArrayRef<int64_t> inverse) {
    Value value = op.getConstantPaddingValue();
    if (!value || !op.getType().hasStaticShape())
      return {};
    auto type = RankedTensorType::get(
        applyPermutation(op.getType().getShape(), inverse),
        op.getType().getElementType());
    return tensor::PadOp::create(
        builder, op.getLoc(), type, source,
        applyPermutation(op.getMixedLowPad(), inverse),
        applyPermutation(op.getMixedHighPad(), inverse), value, op.getNofold());
  }
};

/// Moves a transpose from channels last behind an op that splits dimensions
/// other than the channels: `expand`, of images [batch, channels, ...].
struct SinkBehindExpand : OpRewritePattern<tensor::ExpandShapeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ExpandShapeOp op,
                                PatternRewriter &rewriter) const override {
    auto moved = op.getSrc().getDefiningOp<linalg::TransposeOp>();
    if (!moved || !isFromChannelsLast(moved) ||
        !op.getResultType().hasStaticShape() || !keepsChannels(op))
      return failure();
    SmallVector<ReassociationIndices> groups = op.getReassociationIndices();
    // In the order of the dimensions before the transpose.
    SmallVector<int64_t> inverse =
        invertPermutationVector(moved.getPermutation());
    SmallVector<int64_t> shape, order(op.getResultType().getRank());
    SmallVector<ReassociationIndices> parts;
    for (int64_t dim : inverse) {
      ReassociationIndices &part = parts.emplace_back();
      for (int64_t result : groups[dim]) {
        order[result] = shape.size();
        part.push_back(shape.size());
        shape.push_back(op.getResultType().getDimSize(result));
      }
    }
    Value expanded = tensor::ExpandShapeOp::create(
        rewriter, op.getLoc(), op.getResultType().clone(shape),
        moved.getInput(), parts);
    rewriter.replaceOp(op, transpose(rewriter, op.getLoc(), expanded, order));
    return success();
  }

private:
  static bool keepsChannels(tensor::ExpandShapeOp op) {
    return llvm::count_if(op.getReassociationIndices()[1], [&](int64_t dim) {
             return op.getResultType().getDimSize(dim) != 1;
           }) <= 1;
  }
};

/// Moves a transpose from channels last behind an op that collapses dimensions
/// other than the channels.
struct SinkBehindCollapse : OpRewritePattern<tensor::CollapseShapeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::CollapseShapeOp op,
                                PatternRewriter &rewriter) const override {
    auto moved = op.getSrc().getDefiningOp<linalg::TransposeOp>();
    if (!moved || !isFromChannelsLast(moved) ||
        !op.getSrcType().hasStaticShape())
      return failure();
    ArrayRef<int64_t> order = moved.getPermutation();
    // For each dimension of the result, its source dimensions before the
    // transpose, without those of extent 1.
    SmallVector<ReassociationIndices> sources;
    for (ArrayRef<int64_t> group : op.getReassociationIndices()) {
      ReassociationIndices &dims = sources.emplace_back();
      for (int64_t dim : group)
        if (op.getSrcType().getDimSize(dim) != 1)
          dims.push_back(order[dim]);
      if (dims.empty())
        dims.push_back(order[group.front()]);
    }
    auto results = llvm::to_vector(llvm::seq<int64_t>(sources.size()));
    llvm::sort(results, [&](int64_t a, int64_t b) {
      return sources[a].front() < sources[b].front();
    });
    // The collapsed dimensions must be neighbours before the transpose, too.
    SmallVector<int64_t> all, shape, permutation(sources.size());
    for (auto [place, result] : llvm::enumerate(results)) {
      llvm::append_range(all, sources[result]);
      shape.push_back(op.getResultType().getDimSize(result));
      permutation[result] = place;
    }
    if (!llvm::is_sorted(all))
      return failure();
    RankedTensorType type = op.getResultType().clone(shape);
    auto parts = getReassociationIndicesForReshape(
        cast<RankedTensorType>(moved.getInput().getType()), type);
    if (!parts)
      return failure();
    Value collapsed = tensor::CollapseShapeOp::create(
        rewriter, op.getLoc(), type, moved.getInput(), *parts);
    rewriter.replaceOp(
        op, transpose(rewriter, op.getLoc(), collapsed, permutation));
    return success();
  }
};

/// Moves transposes from channels last behind insertions of all of their
/// results into one tensor, which contains nothing else.
struct SinkBehindInsertions : OpRewritePattern<tensor::InsertSliceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::InsertSliceOp op,
                                PatternRewriter &rewriter) const override {
    // From the last one to the first.
    SmallVector<tensor::InsertSliceOp> insertions = {findLast(op)};
    if (!insertions.front().getResultType().hasStaticShape() ||
        llvm::any_of(insertions.front()->getUsers(), isInsertionInto))
      return failure();
    while (auto before = insertions.back()
                             .getDest()
                             .getDefiningOp<tensor::InsertSliceOp>()) {
      if (!before->hasOneUse())
        return failure();
      insertions.push_back(before);
    }
    if (!insertions.back().getDest().getDefiningOp<tensor::EmptyOp>())
      return failure();
    for (tensor::InsertSliceOp insertion : insertions) {
      auto moved = insertion.getSource().getDefiningOp<linalg::TransposeOp>();
      if (!moved || !isFromChannelsLast(moved) ||
          insertion.getSourceType().getRank() !=
              insertion.getResultType().getRank())
        return failure();
    }
    Operation *last = insertions.front();
    auto sunk =
        insertions.front().getSource().getDefiningOp<linalg::TransposeOp>();
    ArrayRef<int64_t> order = sunk.getPermutation();
    SmallVector<int64_t> inverse = invertPermutationVector(order);
    rewriter.setInsertionPoint(last);
    auto type = insertions.front().getResultType();
    Value whole = tensor::EmptyOp::create(
        rewriter, last->getLoc(), applyPermutation(type.getShape(), inverse),
        type.getElementType());
    for (tensor::InsertSliceOp insertion : llvm::reverse(insertions)) {
      auto moved = insertion.getSource().getDefiningOp<linalg::TransposeOp>();
      whole = tensor::InsertSliceOp::create(
          rewriter, insertion.getLoc(), moved.getInput(), whole,
          applyPermutation(insertion.getMixedOffsets(), inverse),
          applyPermutation(insertion.getMixedSizes(), inverse),
          applyPermutation(insertion.getMixedStrides(), inverse));
    }
    rewriter.replaceOp(last, transpose(rewriter, last->getLoc(), whole, order));
    return success();
  }

private:
  /// Whether `op` inserts into the result of an insertion.
  static bool isInsertionInto(Operation *op) {
    auto insertion = dyn_cast<tensor::InsertSliceOp>(op);
    return insertion &&
           insertion.getDest().getDefiningOp<tensor::InsertSliceOp>();
  }

  /// Returns the last insertion into the result of `op`, if the only use of
  /// each earlier result is the next insertion.
  static tensor::InsertSliceOp findLast(tensor::InsertSliceOp op) {
    while (op->hasOneUse()) {
      auto next = dyn_cast<tensor::InsertSliceOp>(*op->user_begin());
      if (!next || next.getDest() != op)
        break;
      op = next;
    }
    return op;
  }
};

/// Makes a depthwise convolution use channels last, if a transpose shows that
/// its images have channels last.
struct SinkBehindDepthwise
    : OpRewritePattern<linalg::DepthwiseConv2DNchwChwOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::DepthwiseConv2DNchwChwOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasPureTensorSemantics())
      return failure();
    auto moved = op.getInputs()[0].getDefiningOp<linalg::TransposeOp>();
    if (!moved || !isFromChannelsLast(moved))
      return failure();
    Location loc = op.getLoc();
    ArrayRef<int64_t> order = moved.getPermutation();
    SmallVector<int64_t> inverse = invertPermutationVector(order);
    Value filter = transpose(rewriter, loc, op.getInputs()[1], {1, 2, 0});
    Value init = transposeInit(rewriter, loc, op.getOutputs()[0], inverse);
    auto convolution = linalg::DepthwiseConv2DNhwcHwcOp::create(
        rewriter, loc, init.getType(), ValueRange{moved.getInput(), filter},
        init, op.getStrides(), op.getDilations());
    rewriter.replaceOp(
        op, transpose(rewriter, loc, convolution->getResult(0), order));
    return success();
  }

private:
  static Value transposeInit(OpBuilder &builder, Location loc, Value init,
                             ArrayRef<int64_t> order) {
    auto fill = init.getDefiningOp<linalg::FillOp>();
    if (!fill)
      return transpose(builder, loc, init, order);
    auto type = cast<RankedTensorType>(init.getType());
    Value empty = tensor::EmptyOp::create(
        builder, loc, applyPermutation(type.getShape(), order),
        type.getElementType());
    return linalg::FillOp::create(builder, loc, fill.getInputs(), empty)
        ->getResult(0);
  }
};

/// Removes a transpose that moves nothing, such as two transposes that cancel.
struct DropTranspose : OpRewritePattern<linalg::TransposeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::TransposeOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasPureTensorSemantics() ||
        !isIdentityPermutation(op.getPermutation()))
      return failure();
    rewriter.replaceOp(op, op.getInput());
    return success();
  }
};

/// If a transpose only moves dimensions of extent 1 past others, memory stays
/// the same: replaces it by reshapes.
struct ReshapeUnits : OpRewritePattern<linalg::TransposeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::TransposeOp op,
                                PatternRewriter &rewriter) const override {
    auto from = cast<RankedTensorType>(op.getInput().getType()),
         to = cast<RankedTensorType>(op.getInit().getType());
    if (!op.hasPureTensorSemantics() || !from.hasStaticShape() ||
        from.getNumElements() == 0)
      return failure();
    SmallVector<int64_t> moved, extents;
    for (int64_t dim : op.getPermutation())
      if (from.getDimSize(dim) != 1) {
        moved.push_back(dim);
        extents.push_back(from.getDimSize(dim));
      }
    if (moved.empty() || !llvm::is_sorted(moved))
      return failure();
    auto type = RankedTensorType::get(extents, from.getElementType());
    Value matrix = op.getInput();
    if (type != from)
      matrix = tensor::CollapseShapeOp::create(
          rewriter, op.getLoc(), type, matrix,
          *getReassociationIndicesForReshape(from, type));
    if (type != to)
      matrix = tensor::ExpandShapeOp::create(
          rewriter, op.getLoc(), to, matrix,
          *getReassociationIndicesForReshape(type, to));
    rewriter.replaceOp(op, matrix);
    return success();
  }
};

struct LinalgSinkTransposes
    : grout::impl::LinalgSinkTransposesBase<LinalgSinkTransposes> {
  using Base::Base;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<SinkTranspose>(&getContext(), numSunk);
    patterns.add<DropTranspose, SinkBehindCollapse, SinkBehindDepthwise,
                 SinkBehindExpand, SinkBehindInsertions,
                 SinkBehindPart<tensor::ExtractSliceOp>,
                 SinkBehindPart<tensor::PadOp>>(&getContext());
    linalg::TransposeOp::getCanonicalizationPatterns(patterns, &getContext());
    // An iteration may move a transpose behind only one op.
    GreedyRewriteConfig config;
    config.setMaxIterations(GreedyRewriteConfig::kNoLimit);
    if (failed(
            applyPatternsGreedily(getOperation(), std::move(patterns), config)))
      return signalPassFailure();
    // Reshape the transposes that remain.
    RewritePatternSet reshapes(&getContext());
    reshapes.add<ReshapeUnits>(&getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(reshapes))))
      signalPassFailure();
  }
};

} // namespace
