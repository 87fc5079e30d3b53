//===- TensorOps.cpp - Padding and insertions as linalg ops ---------------===//
//
// Part of Grout. Both ops put a tensor into a larger one. The statement that
// replaces them iterates over the larger tensor and selects, so that each
// iteration writes one element, and no element is written twice. Accesses must
// stay inside of tensors in every iteration. So indices of the smaller tensor
// wrap around outside of it, and the element that is read there is not
// selected.
//
//===----------------------------------------------------------------------===//

#include "TensorOps.h"

#include "Members.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace grout::scop;

namespace {

/// The place of a dimension of the smaller tensor in the larger one: offset +
/// stride * index.
struct Placement {
  int64_t offset, size, stride;

  bool covers(int64_t extent) const {
    return offset == 0 && stride == 1 && size == extent;
  }
};

} // namespace

/// Emits whether index `loop` of the larger tensor is in the smaller one.
static Value isInside(OpBuilder &builder, Location loc, unsigned loop,
                      const Placement &placement) {
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  Value index = linalg::IndexOp::create(builder, loc, loop);
  // As an unsigned number, an index before the offset is too large.
  if (placement.offset != 0)
    index =
        arith::SubIOp::create(builder, loc, index, constant(placement.offset));
  int64_t span = (placement.size - 1) * placement.stride + 1;
  Value inside = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult,
                                       index, constant(span));
  if (placement.stride == 1)
    return inside;
  Value rest =
      arith::RemUIOp::create(builder, loc, index, constant(placement.stride));
  Value hits = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                     rest, constant(0));
  return arith::AndIOp::create(builder, loc, inside, hits);
}

/// Replaces `op` by a tensor that holds `source` at `placements`, one for each
/// dimension of the result. `source` lacks the dimensions in `dropped`. Other
/// elements are those of `rest`, a scalar or a tensor like the result; they may
/// be anything if it is null.
static void replaceBySelection(Operation *op, Value source,
                               ArrayRef<Placement> placements,
                               const llvm::SmallBitVector &dropped,
                               Value rest) {
  Location loc = op->getLoc();
  MLIRContext *context = op->getContext();
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  OpBuilder builder(op);

  SmallVector<AffineExpr> indices;
  for (auto [loop, placement] : llvm::enumerate(placements)) {
    if (dropped.test(loop))
      continue;
    AffineExpr index = getAffineDimExpr(loop, context);
    if (!placement.covers(type.getDimSize(loop)))
      index = (index - placement.offset).floorDiv(placement.stride) %
              placement.size;
    indices.push_back(index);
  }
  AffineMap identity =
      AffineMap::getMultiDimIdentityMap(type.getRank(), context);
  SmallVector<Value> inputs = {source};
  SmallVector<AffineMap> maps = {
      AffineMap::get(type.getRank(), 0, indices, context)};
  bool isTensor = rest && isa<TensorType>(rest.getType());
  if (isTensor) {
    inputs.push_back(rest);
    maps.push_back(identity);
  }
  maps.push_back(identity);
  Value empty = tensor::EmptyOp::create(builder, loc, type.getShape(),
                                        type.getElementType());
  auto generic = linalg::GenericOp::create(
      builder, loc, type, inputs, empty, maps,
      SmallVector<utils::IteratorType>(type.getRank(),
                                       utils::IteratorType::parallel),
      [&](OpBuilder &builder, Location loc, ValueRange elements) {
        Value element = elements[0];
        if (!rest) {
          linalg::YieldOp::create(builder, loc, element);
          return;
        }
        Value inside;
        for (auto [loop, placement] : llvm::enumerate(placements)) {
          if (placement.covers(type.getDimSize(loop)))
            continue;
          Value here = isInside(builder, loc, loop, placement);
          inside =
              inside ? arith::AndIOp::create(builder, loc, inside, here) : here;
        }
        if (inside)
          element = arith::SelectOp::create(builder, loc, inside, element,
                                            isTensor ? elements[1] : rest);
        linalg::YieldOp::create(builder, loc, element);
      });
  op->replaceAllUsesWith(generic);
  op->erase();
}

/// Checks that the smaller tensor has elements, so that its indices can wrap
/// around.
static LogicalResult checkNotEmpty(Operation *op, RankedTensorType source) {
  if (llvm::is_contained(source.getShape(), 0))
    return op->emitOpError() << "has a tensor without elements, " << source;
  return success();
}

static LogicalResult convertPad(tensor::PadOp op) {
  auto isStatic = [](ArrayRef<int64_t> sizes) {
    return llvm::none_of(sizes, ShapedType::isDynamic);
  };
  if (!op.getSourceType().hasStaticShape() || !isStatic(op.getStaticLow()) ||
      !isStatic(op.getStaticHigh()))
    return op.emitOpError("has dynamic extents; scop takes static ones");
  for (ArrayRef<int64_t> sizes : {op.getStaticLow(), op.getStaticHigh()})
    if (llvm::any_of(sizes, [](int64_t size) { return size < 0; }))
      return op.emitOpError("pads by a negative size");
  Value value = op.getConstantPaddingValue();
  if (!value)
    return op.emitOpError("pads with a value that depends on the position; "
                          "scop takes one value");
  if (failed(checkNotEmpty(op, op.getSourceType())))
    return failure();
  SmallVector<Placement> placements;
  for (auto [low, size] :
       llvm::zip_equal(op.getStaticLow(), op.getSourceType().getShape()))
    placements.push_back({low, size, 1});
  // The constant may be defined in the region of the op.
  if (TypedAttr constant = getScalarConstant(value)) {
    OpBuilder builder(op);
    value = arith::ConstantOp::create(builder, value.getLoc(), constant);
  }
  replaceBySelection(op, op.getSource(), placements,
                     llvm::SmallBitVector(placements.size()), value);
  return success();
}

/// Checks that the position of a slice is static. Its sizes are those of its
/// type.
static LogicalResult checkSlice(OffsetSizeAndStrideOpInterface op,
                                RankedTensorType type) {
  for (ArrayRef<int64_t> numbers :
       {op.getStaticOffsets(), op.getStaticSizes(), op.getStaticStrides()})
    if (llvm::any_of(numbers, ShapedType::isDynamic))
      return op->emitOpError(
          "has dynamic offsets, sizes or strides; scop takes static ones");
  if (!type.hasStaticShape())
    return op->emitOpError("has dynamic extents; scop takes static ones");
  return success();
}

static LogicalResult convertInsert(tensor::InsertSliceOp op) {
  if (failed(checkSlice(op, op.getDestType())) ||
      failed(checkNotEmpty(op, op.getSourceType())))
    return failure();
  SmallVector<Placement> placements;
  for (auto [offset, size, stride] : llvm::zip_equal(
           op.getStaticOffsets(), op.getStaticSizes(), op.getStaticStrides())) {
    if (stride < 1)
      return op.emitOpError("has a stride that is not positive");
    placements.push_back({offset, size, stride});
  }
  // An op that starts from an undefined tensor, or from a single value, does
  // not need to read a tensor.
  Value rest = op.getDest();
  if (rest.getDefiningOp<tensor::EmptyOp>())
    rest = {};
  else if (auto fill = rest.getDefiningOp<linalg::FillOp>())
    rest = fill.value();
  replaceBySelection(op, op.getSource(), placements, op.getDroppedDims(), rest);
  return success();
}

LogicalResult grout::scop::convertTensorOps(func::FuncOp function) {
  SmallVector<Operation *> ops;
  function.walk([&](Operation *op) {
    if (isa<tensor::PadOp, tensor::InsertSliceOp, tensor::ExtractSliceOp>(op))
      ops.push_back(op);
  });
  for (Operation *op : ops) {
    LogicalResult converted = success();
    if (auto pad = dyn_cast<tensor::PadOp>(op))
      converted = convertPad(pad);
    else if (auto insert = dyn_cast<tensor::InsertSliceOp>(op))
      converted = convertInsert(insert);
    else if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
      converted = checkSlice(slice, slice.getSourceType());
    if (failed(converted))
      return failure();
  }
  return success();
}
