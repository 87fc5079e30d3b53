//===- ReferenceTensorOps.cpp - Reference kernels of the tensor dialect ---===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "ReferencePlan.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace grout;
using namespace grout::reference;

/// The part of `tensor` that `slice` takes; of what is no buffer, the whole.
static ReferenceTensor getSlice(const ReferenceTensor &tensor,
                                OffsetSizeAndStrideOpInterface slice,
                                const llvm::SmallBitVector &dropped) {
  ReferenceTensor part = tensor;
  part.shape.clear();
  part.strides.clear();
  for (auto [dim, offset, size, stride] :
       llvm::enumerate(slice.getStaticOffsets(), slice.getStaticSizes(),
                       slice.getStaticStrides())) {
    if (tensor.buffer)
      part.offset += offset * tensor.strides[dim];
    if (dropped.test(dim))
      continue;
    part.shape.push_back(size);
    if (tensor.buffer)
      part.strides.push_back(stride * tensor.strides[dim]);
  }
  return part;
}

LogicalResult
ReferencePlan::checkPosition(OffsetSizeAndStrideOpInterface slice) {
  for (ArrayRef<int64_t> numbers :
       {slice.getStaticOffsets(), slice.getStaticStrides()})
    if (llvm::any_of(numbers, ShapedType::isDynamic))
      return refuse(slice, "the position of the slice is not known when "
                           "compiling");
  return success();
}

LogicalResult ReferencePlan::buildSlice(tensor::ExtractSliceOp op) {
  FailureOr<ReferenceTensor> source = getTensor(op.getSource(), op);
  if (failed(source) || failed(checkPosition(op)))
    return failure();
  tensors[op.getResult()] = getSlice(*source, op, op.getDroppedDims());
  return success();
}

LogicalResult ReferencePlan::buildInsert(tensor::InsertSliceOp op) {
  FailureOr<ReferenceTensor> source = getTensor(op.getSource(), op);
  FailureOr<ReferenceTensor> dest = getTensor(op.getDest(), op);
  if (failed(source) || failed(dest) || failed(checkPosition(op)))
    return failure();
  if (source->isUndefined())
    return refuse(op, "it inserts a tensor that nothing has written");
  ReferenceTensor result =
      createBuffer(op.getLoc(), dest->shape, dest->elementType);
  if (!dest->isUndefined())
    buildCopy(op.getLoc(), *dest, result);
  buildCopy(op.getLoc(), *source, getSlice(result, op, op.getDroppedDims()));
  tensors[op.getResult()] = std::move(result);
  return success();
}

LogicalResult ReferencePlan::buildScatter(tensor::ScatterOp op) {
  FailureOr<ReferenceTensor> source = getTensor(op.getSource(), op);
  FailureOr<ReferenceTensor> dest = getTensor(op.getDest(), op);
  FailureOr<ReferenceTensor> places = getTensor(op.getIndices(), op);
  if (failed(source) || failed(dest) || failed(places))
    return failure();
  for (const ReferenceTensor &tensor : {*source, *dest, *places})
    if (tensor.isUndefined())
      return refuse(op, "it uses a tensor that nothing has written");

  // Every element of the result looks for its place among all of them.
  MLIRContext *context = op.getContext();
  ArrayRef<int64_t> ofPlaces = op.getIndicesType().getShape().drop_back();
  unsigned rank = dest->shape.size(), numLoops = rank + ofPlaces.size();
  ReferenceKernel kernel(op.getLoc());
  kernel.extents = dest->shape;
  llvm::append_range(kernel.extents, ofPlaces);
  kernel.iterators.assign(rank, utils::IteratorType::parallel);
  kernel.iterators.append(ofPlaces.size(), utils::IteratorType::reduction);
  // A splat has no shape to map to.
  auto access = [&](const ReferenceTensor &tensor,
                    ArrayRef<AffineExpr> indices) {
    if (!tensor.buffer)
      indices = {};
    return TensorAccess{tensor, AffineMap::get(numLoops, 0, indices, context)};
  };
  SmallVector<AffineExpr> ofDest, ofSource, place;
  for (unsigned loop = 0; loop != rank; ++loop)
    ofDest.push_back(getAffineDimExpr(loop, context));
  for (unsigned loop = rank; loop != numLoops; ++loop)
    place.push_back(getAffineDimExpr(loop, context));
  ofSource = place;
  bool hasAll = source->shape.size() == numLoops;
  for (unsigned dim = 0; dim != rank; ++dim) {
    bool isPlace = llvm::is_contained(op.getScatterDims(), int64_t(dim));
    if (!isPlace)
      ofSource.push_back(ofDest[dim]);
    else if (hasAll)
      ofSource.push_back(getAffineConstantExpr(0, context));
  }
  kernel.inputs = {access(*source, ofSource)};
  for (size_t i = 0; i != op.getScatterDims().size(); ++i) {
    SmallVector<AffineExpr> indices(place);
    indices.push_back(getAffineConstantExpr(i, context));
    kernel.inputs.push_back(access(*places, indices));
  }
  ReferenceTensor result =
      createBuffer(op.getLoc(), dest->shape, dest->elementType);
  kernel.inits = {access(*dest, ofDest)};
  kernel.outputs = {access(result, ofDest)};
  kernel.compute = [op](OpBuilder &builder, ValueRange elements,
                        ValueRange coordinates, EmitGather) mutable {
    Location loc = op.getLoc();
    Value hits;
    for (auto [dim, place] : llvm::zip_equal(
             op.getScatterDims(), elements.drop_front().drop_back())) {
      Value index = arith::IndexCastOp::create(builder, loc,
                                               builder.getIndexType(), place);
      Value hit = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                        index, coordinates[dim]);
      hits = hits ? arith::AndIOp::create(builder, loc, hits, hit) : hit;
    }
    return SmallVector<Value>{arith::SelectOp::create(
        builder, loc, hits, elements.front(), elements.back())};
  };
  addKernel(kernel);
  tensors[op.getResult()] = std::move(result);
  return success();
}

LogicalResult ReferencePlan::buildPad(tensor::PadOp op) {
  FailureOr<ReferenceTensor> source = getTensor(op.getSource(), op);
  if (failed(source))
    return failure();
  if (source->isUndefined())
    return refuse(op, "it pads a tensor that nothing has written");
  Value value = op.getConstantPaddingValue();
  if (!value)
    return refuse(op, "its padding is not one value");
  FailureOr<ReferenceTensor> padding = getTensor(value, op);
  if (failed(padding))
    return failure();
  ReferenceTensor result = createBuffer(
      op.getLoc(), op.getResultType().getShape(), padding->elementType);
  buildCopy(op.getLoc(), *padding, result);
  ReferenceTensor inner = result;
  inner.shape = source->shape;
  for (auto [low, high, stride] :
       llvm::zip_equal(op.getStaticLow(), op.getStaticHigh(), result.strides)) {
    if (ShapedType::isDynamic(low) || low < 0 || ShapedType::isDynamic(high) ||
        high < 0)
      return refuse(op, "the position of what it pads is not known when "
                        "compiling, or outside");
    inner.offset += low * stride;
  }
  buildCopy(op.getLoc(), *source, inner);
  tensors[op.getResult()] = std::move(result);
  return success();
}

LogicalResult ReferencePlan::buildExpand(tensor::ExpandShapeOp op) {
  FailureOr<ReferenceTensor> source = getTensor(op.getSrc(), op);
  if (failed(source))
    return failure();
  ReferenceTensor view = *source;
  view.shape = llvm::to_vector(op.getResultType().getShape());
  view.strides.assign(source->buffer ? view.shape.size() : 0, 1);
  if (source->buffer)
    for (auto [dim, group] : llvm::enumerate(op.getReassociationIndices())) {
      int64_t stride = source->strides[dim];
      for (int64_t part : llvm::reverse(group)) {
        view.strides[part] = stride;
        stride *= view.shape[part];
      }
    }
  tensors[op.getResult()] = std::move(view);
  return success();
}

LogicalResult ReferencePlan::buildCollapse(tensor::CollapseShapeOp op) {
  FailureOr<ReferenceTensor> source = getTensor(op.getSrc(), op);
  if (failed(source))
    return failure();
  ReferenceTensor view = *source;
  if (view.buffer) {
    // Simplest is right: what is not dense becomes so first.
    if (view.strides != computeSuffixProduct(view.shape)) {
      view = createBuffer(op.getLoc(), source->shape, source->elementType);
      buildCopy(op.getLoc(), *source, view);
    }
    view.strides = computeSuffixProduct(op.getResultType().getShape());
  }
  view.shape = llvm::to_vector(op.getResultType().getShape());
  tensors[op.getResult()] = std::move(view);
  return success();
}
