//===- JoinedProduct.cpp - Products side by side --------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Dialect/TGemm/Transforms/JoinedProduct.h"

using namespace mlir;
using namespace grout;
using namespace grout::tgemm;

bool tgemm::canJoin(MatmulOp first, MatmulOp second) {
  return first.getLhs() == second.getLhs() && !first.isBatched() &&
         !second.isBatched() && !first.getPartialSums() &&
         !second.getPartialSums() &&
         first.getNumProducts() == second.getNumProducts() &&
         first.getTransposeLhs() == second.getTransposeLhs() &&
         first.getTransposeRhs() == second.getTransposeRhs() &&
         first.getSumDepth() == second.getSumDepth() &&
         first.getResultElementType() == second.getResultElementType();
}

/// Returns `type` with extent `columns` in dimension `dim`.
static RankedTensorType withColumns(RankedTensorType type, unsigned dim,
                                    int64_t columns) {
  SmallVector<int64_t> shape(type.getShape());
  shape[dim] = columns;
  return type.clone(shape);
}

/// Returns `type`, the type of an epilogue input with `map`, with extent
/// `columns` in the dimension that follows the result's columns, if it has one.
static RankedTensorType withColumns(RankedTensorType type, AffineMap map,
                                    int64_t columns) {
  for (auto [dim, expr] : llvm::enumerate(map.getResults()))
    if (auto position = dyn_cast<AffineDimExpr>(expr);
        position && position.getPosition() == map.getNumDims() - 1)
      type = withColumns(type, dim, columns);
  return type;
}

JoinedProduct::JoinedProduct(ArrayRef<MatmulOp> ops) {
  MatmulOp first = ops.front();
  int64_t columns = 0;
  for (MatmulOp op : ops)
    columns += op.getN();
  product = first.clone();
  auto setType = [&](OpOperand &operand, Type type) {
    operand.set(arguments.addArgument(type, first.getLoc()));
  };
  setType(product->getLhsMutable(), first.getLhs().getType());
  for (OpOperand &rhs : product->getRhsMutable())
    setType(rhs, withColumns(cast<RankedTensorType>(rhs.get().getType()),
                             first.getTransposeRhs() ? 0 : 1, columns));
  for (auto [index, input] :
       llvm::enumerate(product->getEpilogueInputsMutable()))
    setType(input, withColumns(cast<RankedTensorType>(input.get().getType()),
                               first.getEpilogueMap(index), columns));
  product->getResult().setType(
      withColumns(first.getResult().getType(), /*dim=*/1, columns));
  product->removeTilingAttr();
  product->setLaunchedWithNext(false);
}
