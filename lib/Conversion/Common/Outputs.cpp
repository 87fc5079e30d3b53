//===- Outputs.cpp - Initial values of linalg ops -------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Conversion/Common/Outputs.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace grout;

/// Whether the results of `map` are distinct loops that go through all indices
/// of `shape`. Other maps that write all elements count as maps that do not.
static bool writesAll(AffineMap map, ArrayRef<int64_t> shape) {
  llvm::SmallBitVector loops(map.getNumDims());
  for (auto [expr, extent] : llvm::zip_equal(map.getResults(), shape)) {
    if (extent == 1)
      continue;
    auto loop = dyn_cast<AffineDimExpr>(expr);
    if (!loop || loops.test(loop.getPosition()))
      return false;
    loops.set(loop.getPosition());
  }
  return true;
}

bool grout::startsFrom(linalg::LinalgOp op, OpOperand &output) {
  if (op.payloadUsesValueFromOperand(&output))
    return true;
  return !output.get().getDefiningOp<tensor::EmptyOp>() &&
         !writesAll(op.getMatchingIndexingMap(&output), op.getShape(&output));
}

void grout::dropUnreadOutputs(linalg::LinalgOp op) {
  OpBuilder builder(op);
  for (OpOperand &output : op.getDpsInitsMutable()) {
    auto type = dyn_cast<RankedTensorType>(output.get().getType());
    if (!type || !type.hasStaticShape() || startsFrom(op, output) ||
        output.get().getDefiningOp<tensor::EmptyOp>())
      continue;
    output.set(tensor::EmptyOp::create(builder, op.getLoc(), type.getShape(),
                                       type.getElementType(),
                                       type.getEncoding()));
  }
}
