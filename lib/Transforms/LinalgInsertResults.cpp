//===- LinalgInsertResults.cpp - Results written into parts of outputs ----===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "linalg-insert-results"

namespace grout {
#define GEN_PASS_DEF_LINALGINSERTRESULTS
#include "grout/Transforms/Passes.h.inc"
} // namespace grout

using namespace mlir;

namespace {

/// The part of an output that an op writes: a slice with one element for each
/// point of the loops in the output's map.
struct WrittenSlice {
  SmallVector<OpFoldResult> offsets, sizes, strides;
  /// The loops, in the order of the output's dimensions.
  SmallVector<AffineExpr> loops;
  SmallVector<int64_t> shape;
};

/// One dimension of an output: `stride * loop + offset`, or `offset` alone.
struct WrittenDimension {
  AffineExpr loop;
  int64_t stride = 1;
  int64_t offset = 0;
};

} // namespace

static std::optional<WrittenDimension> matchDimension(AffineExpr expression) {
  WrittenDimension dimension;
  // Canonical affine sums and products have their constants on the right.
  if (auto sum = dyn_cast<AffineBinaryOpExpr>(expression);
      sum && sum.getKind() == AffineExprKind::Add) {
    auto offset = dyn_cast<AffineConstantExpr>(sum.getRHS());
    if (!offset)
      return std::nullopt;
    dimension.offset = offset.getValue();
    expression = sum.getLHS();
  }
  if (auto product = dyn_cast<AffineBinaryOpExpr>(expression);
      product && product.getKind() == AffineExprKind::Mul) {
    auto stride = dyn_cast<AffineConstantExpr>(product.getRHS());
    if (!stride || stride.getValue() < 1)
      return std::nullopt;
    dimension.stride = stride.getValue();
    expression = product.getLHS();
  }
  if (auto offset = dyn_cast<AffineConstantExpr>(expression)) {
    dimension.offset = offset.getValue();
    return dimension;
  }
  if (!isa<AffineDimExpr>(expression))
    return std::nullopt;
  dimension.loop = expression;
  return dimension;
}

/// Returns the part of an output that an op with loops of `extents` writes by
/// `map`, if that is a slice.
static std::optional<WrittenSlice> matchSlice(AffineMap map,
                                              ArrayRef<int64_t> extents) {
  Builder builder(map.getContext());
  llvm::SmallBitVector isSeen(map.getNumDims());
  WrittenSlice slice;
  for (AffineExpr expression : map.getResults()) {
    std::optional<WrittenDimension> dimension = matchDimension(expression);
    if (!dimension)
      return std::nullopt;
    int64_t size = 1;
    if (dimension->loop) {
      unsigned loop = cast<AffineDimExpr>(dimension->loop).getPosition();
      if (isSeen.test(loop))
        return std::nullopt;
      isSeen.set(loop);
      size = extents[loop];
      slice.loops.push_back(dimension->loop);
      slice.shape.push_back(size);
    }
    slice.offsets.push_back(builder.getIndexAttr(dimension->offset));
    slice.sizes.push_back(builder.getIndexAttr(size));
    slice.strides.push_back(builder.getIndexAttr(dimension->stride));
  }
  return slice;
}

/// Refuses `op` if it writes a diagonal of an output.
static LogicalResult checkDiagonals(linalg::GenericOp op) {
  for (OpOperand &init : op.getDpsInitsMutable()) {
    AffineMap map = op.getMatchingIndexingMap(&init);
    llvm::SmallBitVector isSeen(map.getNumDims());
    for (AffineExpr expression : map.getResults()) {
      auto loop = dyn_cast<AffineDimExpr>(expression);
      if (!loop)
        continue;
      if (isSeen.test(loop.getPosition()))
        return op.emitOpError("cannot be compiled: it writes only a diagonal "
                              "of an output, by ")
               << AffineMapAttr::get(map)
               << "; write all of it, with linalg.index and arith.select";
      isSeen.set(loop.getPosition());
    }
  }
  return success();
}

/// Returns the initial value of a result that is `slice` of `whole`. If `whole`
/// is filled with a value, so is each part of it.
static Value buildPart(OpBuilder &builder, Location loc, Value whole,
                       const WrittenSlice &slice, bool isRead) {
  auto type =
      RankedTensorType::get(slice.shape, getElementTypeOrSelf(whole.getType()));
  auto fill = whole.getDefiningOp<linalg::FillOp>();
  if (isRead && !fill)
    return tensor::ExtractSliceOp::create(
        builder, loc, type, whole, slice.offsets, slice.sizes, slice.strides);
  Value part =
      tensor::EmptyOp::create(builder, loc, slice.shape, type.getElementType());
  if (!isRead)
    return part;
  return linalg::FillOp::create(builder, loc, fill.getInputs(), part)
      ->getResult(0);
}

/// Makes `op` write a tensor of its own instead of a part of output `number`,
/// and inserts that tensor. Returns whether it did.
static bool insertResult(linalg::GenericOp op, unsigned number) {
  OpOperand &init = op.getDpsInitsMutable()[number];
  AffineMap map = op.getMatchingIndexingMap(&init);
  if (map.isProjectedPermutation())
    return false;
  std::optional<WrittenSlice> slice = matchSlice(map, op.getStaticLoopRanges());
  if (!slice)
    return false;
  LDBG() << "output " << number << " of " << op->getLoc()
         << " becomes an insertion";
  OpBuilder builder(op);
  Value whole = init.get();
  Value part = buildPart(builder, op.getLoc(), whole, *slice,
                         op.payloadUsesValueFromOperand(&init));
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  maps[init.getOperandNumber()] =
      AffineMap::get(map.getNumDims(), 0, slice->loops, op.getContext());
  Value result = op->getResult(number);
  op.setIndexingMapsAttr(builder.getAffineMapArrayAttr(maps));
  init.set(part);
  result.setType(part.getType());
  builder.setInsertionPointAfter(op);
  auto insertion = tensor::InsertSliceOp::create(builder, op.getLoc(), result,
                                                 whole, slice->offsets,
                                                 slice->sizes, slice->strides);
  result.replaceAllUsesExcept(insertion, insertion);
  return true;
}

namespace {

struct LinalgInsertResults
    : grout::impl::LinalgInsertResultsBase<LinalgInsertResults> {
  using Base::Base;

  void runOnOperation() override {
    for (Block &block : getOperation().getBody())
      for (auto op :
           llvm::make_early_inc_range(block.getOps<linalg::GenericOp>())) {
        if (!op.hasPureTensorSemantics() ||
            llvm::is_contained(op.getStaticLoopRanges(), ShapedType::kDynamic))
          continue;
        if (failed(checkDiagonals(op)))
          return signalPassFailure();
        for (unsigned i = 0, e = op.getNumDpsInits(); i < e; ++i)
          numInsertions += insertResult(op, i);
      }
  }
};

} // namespace
