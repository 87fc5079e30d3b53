//===- AttentionOutput.cpp - The result of attention ----------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "AttentionOutput.h"

#include "grout/Conversion/Common/Accumulation.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace grout;

/// Returns the index into the result of the reshape `op`, given that into its
/// source.
static std::optional<FactorIndex>
getResultIndex(Operation *op, const FactorIndex &index, IndexFactors &factors) {
  FactorIndex result;
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op)) {
    for (ArrayRef<int64_t> dims : collapse.getReassociationIndices())
      result.push_back(flatten(FactorIndex(index.begin() + dims.front(),
                                           index.begin() + dims.back() + 1)));
    return result;
  }
  auto expand = cast<tensor::ExpandShapeOp>(op);
  ArrayRef<int64_t> shape = expand.getResultType().getShape();
  if (expand.getReassociationIndices().empty())
    return FactorIndex(shape.size());
  for (auto [list, dims] :
       llvm::zip_equal(index, expand.getReassociationIndices())) {
    auto parts = factors.split(list, shape.slice(dims.front(), dims.size()));
    if (!parts)
      return std::nullopt;
    llvm::append_range(result, *parts);
  }
  return result;
}

/// Whether `op` has one result, each of whose elements is computed from one
/// element of `operand`.
static bool mapsElements(linalg::LinalgOp op, OpOperand &operand) {
  return op.hasPureTensorSemantics() && !op.hasDynamicShape() &&
         op->getNumResults() == 1 && op.isDpsInput(&operand) &&
         op.getNumParallelLoops() == op.getNumLoops() &&
         op.getMatchingIndexingMap(&operand).isPermutation() &&
         op.getIndexingMapMatchingResult(op->getResult(0)).isPermutation();
}

/// Returns the index into the result of the one user of `element`; none if the
/// user is not a part of attention.
static std::optional<FactorIndex> follow(const TensorElement &element,
                                         OpOperand &operand, Softmax &softmax,
                                         ScalarExprBuilder &exprs,
                                         IndexFactors &factors) {
  Operation *user = operand.getOwner();
  if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(user) &&
      cast<RankedTensorType>(user->getResult(0).getType()).hasStaticShape())
    return getResultIndex(user, element.index, factors);
  auto op = dyn_cast<linalg::LinalgOp>(user);
  if (!op || !mapsElements(op, operand))
    return std::nullopt;
  AffineMap fromLoops = op.getMatchingIndexingMap(&operand);
  FactorIndex loops = getIndex(inversePermutation(fromLoops), element.index);
  const ScalarExpr *before = exprs.getElement(element.value, element.index);
  const ScalarExpr *after =
      exprs.getBody(op, op.getBlock()->getTerminator()->getOperand(0), loops,
                    {{op.getMatchingBlockArgument(&operand), before}});
  if (!after || !matchResult(after, before, softmax))
    return std::nullopt;
  return getIndex(op.getIndexingMapMatchingResult(op->getResult(0)), loops);
}

AttentionResult grout::followResult(linalg::LinalgOp product,
                                    const FactorIndex &loops, Softmax &softmax,
                                    ScalarExprBuilder &exprs,
                                    IndexFactors &factors) {
  AttentionResult result;
  OpResult value = product->getResult(0);
  AffineMap map = product.getIndexingMapMatchingResult(value);
  TensorElement element{value, getIndex(map, loops)};
  result.ops.insert(product);
  while (true) {
    if (!isGemmFloat(getElementTypeOrSelf(element.value)))
      return result;
    if (softmax.isDivided)
      result.candidates.push_back({element});
    if (!element.value.hasOneUse())
      return result;
    OpOperand &use = *element.value.use_begin();
    std::optional<FactorIndex> index =
        follow(element, use, softmax, exprs, factors);
    if (!index)
      return result;
    result.ops.insert(use.getOwner());
    element = {use.getOwner()->getResult(0), *index};
  }
}
