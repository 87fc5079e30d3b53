//===- AttentionViews.cpp - Tensors of attention in memory ----------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "AttentionViews.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace grout;

FactorList grout::flatten(const FactorIndex &index) {
  FactorList memory;
  for (const FactorList &list : index)
    llvm::append_range(memory, list);
  return memory;
}

/// Returns the dimensions of which `memory` consists, in its order.
static std::optional<SmallVector<unsigned>>
findOrder(ArrayRef<unsigned> memory, const AttentionDims &dims) {
  SmallVector<unsigned> order;
  while (!memory.empty()) {
    const FactorList *found = llvm::find_if(dims, [&](const FactorList &dim) {
      return !dim.empty() && memory.take_front(dim.size()) == ArrayRef(dim);
    });
    if (found == dims.end())
      return std::nullopt;
    order.push_back(found - dims.begin());
    memory = memory.drop_front(found->size());
  }
  return order;
}

static AffineMap getMap(ArrayRef<unsigned> order, MLIRContext *context) {
  SmallVector<AffineExpr> exprs;
  for (unsigned dim : order)
    exprs.push_back(getAffineDimExpr(dim, context));
  return AffineMap::get(4, 0, exprs, context);
}

std::optional<AffineMap> grout::findLayout(ArrayRef<unsigned> memory,
                                           const AttentionDims &dims,
                                           MLIRContext *context) {
  std::optional<SmallVector<unsigned>> order = findOrder(memory, dims);
  if (!order)
    return std::nullopt;
  for (unsigned dim = 0; dim != dims.size(); ++dim) {
    if (llvm::is_contained(*order, dim))
      continue;
    if (!dims[dim].empty())
      return std::nullopt;
    // Dimensions of extent 1 go where they disturb the usual order least.
    order->insert(
        llvm::find_if(*order, [&](unsigned other) { return other > dim; }),
        dim);
  }
  return getMap(*order, context);
}

std::optional<AffineMap> grout::findProjectedLayout(ArrayRef<unsigned> memory,
                                                    const AttentionDims &dims,
                                                    MLIRContext *context) {
  std::optional<SmallVector<unsigned>> order = findOrder(memory, dims);
  if (!order)
    return std::nullopt;
  return getMap(*order, context);
}

SmallVector<int64_t> grout::getShape(AffineMap layout,
                                     const AttentionDims &dims,
                                     const IndexFactors &factors) {
  SmallVector<int64_t> shape;
  for (unsigned number = 0; number != layout.getNumResults(); ++number)
    shape.push_back(factors.getExtent(dims[layout.getDimPosition(number)]));
  return shape;
}

//===----------------------------------------------------------------------===//
// Reshapes
//===----------------------------------------------------------------------===//

namespace {

/// A shape, and two other shapes as expansions of it.
struct CommonShape {
  SmallVector<ReassociationIndices> from, to;
  SmallVector<int64_t> shape;
};

} // namespace

/// Returns the longest shape of which both shapes are expansions.
static CommonShape getCommonShape(ArrayRef<int64_t> from,
                                  ArrayRef<int64_t> to) {
  CommonShape common;
  size_t fromDim = 0, toDim = 0;
  while (fromDim != from.size() && toDim != to.size()) {
    common.from.push_back({int64_t(fromDim)});
    common.to.push_back({int64_t(toDim)});
    int64_t fromSize = from[fromDim++], toSize = to[toDim++];
    while (fromSize != toSize) {
      if (fromSize < toSize) {
        common.from.back().push_back(fromDim);
        fromSize *= from[fromDim++];
      } else {
        common.to.back().push_back(toDim);
        toSize *= to[toDim++];
      }
    }
    common.shape.push_back(fromSize);
  }
  // The remaining dimensions have extent 1.
  for (; !common.from.empty() && fromDim != from.size(); ++fromDim)
    common.from.back().push_back(fromDim);
  for (; !common.to.empty() && toDim != to.size(); ++toDim)
    common.to.back().push_back(toDim);
  return common;
}

Value grout::reshapeTo(OpBuilder &builder, Location loc, Value tensor,
                       ArrayRef<int64_t> shape) {
  auto type = cast<RankedTensorType>(tensor.getType());
  Type element = type.getElementType();
  CommonShape common = getCommonShape(type.getShape(), shape);
  if (common.shape.size() != static_cast<size_t>(type.getRank()))
    tensor = tensor::CollapseShapeOp::create(
        builder, loc, RankedTensorType::get(common.shape, element), tensor,
        common.from);
  if (common.shape.size() != shape.size())
    tensor = tensor::ExpandShapeOp::create(
        builder, loc, RankedTensorType::get(shape, element), tensor, common.to);
  return tensor;
}
