//===- StridedView.cpp - A part of a tensor, with strides -----------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Support/StridedView.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace grout;

StridedView StridedView::getDense(ArrayRef<int64_t> shape) {
  StridedView view;
  view.shape = llvm::to_vector(shape);
  view.strides = computeStrides(shape);
  return view;
}

static std::optional<StridedView> getSlice(tensor::ExtractSliceOp op,
                                           const StridedView &source) {
  StridedView view;
  view.offset = source.offset;
  llvm::SmallBitVector dropped = op.getDroppedDims();
  for (auto [dim, offset, size, stride] : llvm::enumerate(
           op.getStaticOffsets(), op.getStaticSizes(), op.getStaticStrides())) {
    if (ShapedType::isDynamic(offset) || ShapedType::isDynamic(size) ||
        ShapedType::isDynamic(stride))
      return std::nullopt;
    view.offset += offset * source.strides[dim];
    if (dropped.test(dim))
      continue;
    view.shape.push_back(size);
    view.strides.push_back(stride * source.strides[dim]);
  }
  return view;
}

/// Returns `source` as a view of `type`, in which each dimension of `source` is
/// expanded to a group of `groups`.
static std::optional<StridedView>
getExpanded(RankedTensorType type, ArrayRef<ReassociationIndices> groups,
            const StridedView &source) {
  if (!type.hasStaticShape())
    return std::nullopt;
  StridedView view;
  view.offset = source.offset;
  view.shape = llvm::to_vector(type.getShape());
  view.strides.assign(view.shape.size(), 1);
  for (auto [sourceStride, group] : llvm::zip_equal(source.strides, groups)) {
    auto sizes = llvm::map_to_vector(
        group, [&](int64_t dim) { return view.shape[dim]; });
    for (auto [dim, stride] : llvm::zip_equal(group, computeStrides(sizes)))
      view.strides[dim] = stride * sourceStride;
  }
  return view;
}

/// Returns the stride of the dimensions of `group` as one dimension, if they
/// are contiguous. Strides of unit dimensions do not matter.
static std::optional<int64_t> getJoinedStride(ArrayRef<int64_t> group,
                                              const StridedView &source) {
  std::optional<int64_t> joined;
  int64_t next = 1;
  for (int64_t dim : llvm::reverse(group)) {
    if (source.shape[dim] == 1)
      continue;
    if (joined && source.strides[dim] != next)
      return std::nullopt;
    if (!joined)
      joined = source.strides[dim];
    next = source.strides[dim] * source.shape[dim];
  }
  return joined.value_or(1);
}

/// Returns `source` as a view of `type`, in which each group of `groups` is
/// collapsed to one dimension.
static std::optional<StridedView>
getCollapsed(RankedTensorType type, ArrayRef<ReassociationIndices> groups,
             const StridedView &source) {
  if (!type.hasStaticShape())
    return std::nullopt;
  StridedView view;
  view.offset = source.offset;
  view.shape = llvm::to_vector(type.getShape());
  for (const ReassociationIndices &group : groups) {
    std::optional<int64_t> stride = getJoinedStride(group, source);
    if (!stride)
      return std::nullopt;
    view.strides.push_back(*stride);
  }
  return view;
}

std::optional<StridedView> grout::getStridedView(Operation *op,
                                                 const StridedView &source) {
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
    return getSlice(slice, source);
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op))
    return getExpanded(expand.getResultType(), expand.getReassociationIndices(),
                       source);
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op))
    return getCollapsed(collapse.getResultType(),
                        collapse.getReassociationIndices(), source);
  return std::nullopt;
}

std::optional<StridedView> grout::getSourceView(Operation *op,
                                                const StridedView &result) {
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op))
    return getCollapsed(expand.getSrcType(), expand.getReassociationIndices(),
                        result);
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op))
    return getExpanded(collapse.getSrcType(),
                       collapse.getReassociationIndices(), result);
  return std::nullopt;
}

/// Returns `tensor` as a view of the tensor from which its slices and reshapes
/// start.
static std::optional<StridedView> getViewOfRoot(Value tensor) {
  Operation *op = tensor.getDefiningOp();
  if (!isa_and_nonnull<tensor::ExtractSliceOp, tensor::ExpandShapeOp,
                       tensor::CollapseShapeOp>(op)) {
    auto type = dyn_cast<RankedTensorType>(tensor.getType());
    if (!type || !type.hasStaticShape())
      return std::nullopt;
    return StridedView::getDense(type.getShape());
  }
  std::optional<StridedView> source = getViewOfRoot(op->getOperand(0));
  return source ? getStridedView(op, *source) : std::nullopt;
}

bool grout::hasStrides(Value tensor) {
  return getViewOfRoot(tensor).has_value();
}
