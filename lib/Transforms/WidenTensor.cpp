//===- WidenTensor.cpp - Tensors that become f32 --------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "WidenTensor.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace grout;

arith::TruncFOp grout::getLastRounding(linalg::GenericOp op) {
  if (op->getNumResults() != 1)
    return {};
  auto rounding = op.getBlock()
                      ->getTerminator()
                      ->getOperand(0)
                      .getDefiningOp<arith::TruncFOp>();
  bool isLast = rounding && rounding.getIn().getType().isF32() &&
                rounding->hasOneUse() &&
                !op.payloadUsesValueFromOperand(op.getDpsInitOperand(0));
  return isLast ? rounding : arith::TruncFOp();
}

/// Makes the body of `op` read f32 as `argument`.
static void widenArgument(OpBuilder &builder, linalg::GenericOp op,
                          BlockArgument argument) {
  Type half = argument.getType();
  argument.setType(builder.getF32Type());
  Value rounded;
  for (OpOperand &use : llvm::make_early_inc_range(argument.getUses())) {
    auto extension = dyn_cast<arith::ExtFOp>(use.getOwner());
    if (extension && extension.getType().isF32()) {
      extension.replaceAllUsesWith(Value(argument));
      extension.erase();
      continue;
    }
    // The op needs the bits, or is not arithmetic.
    if (!rounded) {
      // Extensions before it, which may have been the first op, are gone.
      builder.setInsertionPointToStart(op.getBlock());
      rounded = arith::TruncFOp::create(builder, op.getLoc(), half, argument);
    }
    if (use.getOwner() != rounded.getDefiningOp())
      use.set(rounded);
  }
}

/// Changes `tensor` to f32, and the ops that read it, too.
static void widenReads(OpBuilder &builder, Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  tensor.setType(type.clone(builder.getF32Type()));
  for (OpOperand &use : tensor.getUses()) {
    if (isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(use.getOwner())) {
      widenReads(builder, use.getOwner()->getResult(0));
      continue;
    }
    auto op = cast<linalg::GenericOp>(use.getOwner());
    widenArgument(builder, op, op.getMatchingBlockArgument(&use));
  }
}

void grout::widenTensor(linalg::GenericOp op, arith::TruncFOp rounding) {
  OpBuilder builder(op);
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  Value empty = tensor::EmptyOp::create(builder, op.getLoc(), type.getShape(),
                                        builder.getF32Type());
  op.getDpsInitsMutable()[0].set(empty);
  op.getRegionOutputArgs()[0].setType(builder.getF32Type());
  rounding.replaceAllUsesWith(rounding.getIn());
  rounding.erase();
  widenReads(builder, op->getResult(0));
}
