//===- LinalgFoldRoundings.cpp - Tensors of one kernel in f32 -------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Transforms/Passes.h"

#include "grout/Conversion/Common/ComputeBound.h"
#include "grout/Conversion/Common/OptionalRounding.h"
#include "grout/Interfaces/LinalgTileKernel.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "linalg-fold-roundings"

namespace grout {
#define GEN_PASS_DEF_LINALGFOLDROUNDINGS
#include "grout/Transforms/Passes.h.inc"
} // namespace grout

using namespace mlir;
using namespace grout;

/// The rounding of the result of `op` that may be left out; null if there is
/// none.
static arith::TruncFOp getOptionalRounding(linalg::GenericOp op) {
  if (op->getNumResults() != 1)
    return {};
  auto rounding = op.getBlock()
                      ->getTerminator()
                      ->getOperand(0)
                      .getDefiningOp<arith::TruncFOp>();
  if (!isOptionalRounding(rounding) || !rounding.getIn().getType().isF32() ||
      !rounding->hasOneUse())
    return {};
  // Its result is written, and not read.
  OpOperand *init = op.getDpsInitOperand(0);
  return op.payloadUsesValueFromOperand(init) ? arith::TruncFOp() : rounding;
}

/// Collects the reshapes between `value` and the one op that reads it. Null if
/// that is no linalg op that is bound by memory.
static linalg::LinalgOp findReader(Value value,
                                   SmallVectorImpl<Operation *> &reshapes) {
  while (!value.use_empty() && llvm::all_equal(value.getUsers())) {
    Operation *user = *value.getUsers().begin();
    if (isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(user)) {
      reshapes.push_back(user);
      value = user->getResult(0);
      continue;
    }
    auto op = dyn_cast<linalg::LinalgOp>(user);
    bool isRead =
        op && op.hasPureTensorSemantics() && getComputeBound(op).empty() &&
        !op->hasAttr(kLinalgTileSizesAttrName) &&
        llvm::all_of(op.getDpsInitsMutable(),
                     [&](OpOperand &init) { return init.get() != value; });
    return isRead ? op : linalg::LinalgOp();
  }
  return {};
}

static void setElementType(Value value, Type element) {
  value.setType(cast<RankedTensorType>(value.getType()).clone(element));
}

/// Lets the body of `op` read f32 as `argument`.
static void widenArgument(OpBuilder &builder, linalg::GenericOp op,
                          BlockArgument argument) {
  Type half = argument.getType();
  argument.setType(builder.getF32Type());
  builder.setInsertionPointToStart(op.getBlock());
  Value rounded;
  for (OpOperand &use : llvm::make_early_inc_range(argument.getUses())) {
    auto extension = dyn_cast<arith::ExtFOp>(use.getOwner());
    if (extension && extension.getType().isF32()) {
      extension.replaceAllUsesWith(Value(argument));
      extension.erase();
      continue;
    }
    // It needs the bits, or it is no arithmetic.
    if (!rounded)
      rounded = arith::TruncFOp::create(builder, op.getLoc(), half, argument);
    if (use.getOwner() != rounded.getDefiningOp())
      use.set(rounded);
  }
}

/// Whether `op` goes on in f32 with what it reads of `value`.
static bool goesOnInSingle(linalg::GenericOp op, Value value) {
  return llvm::any_of(op.getDpsInputOperands(), [&](OpOperand *operand) {
    return operand->get() == value &&
           llvm::any_of(op.getMatchingBlockArgument(operand).getUsers(),
                        [](Operation *user) {
                          auto extension = dyn_cast<arith::ExtFOp>(user);
                          return extension && extension.getType().isF32();
                        });
  });
}

namespace {

struct LinalgFoldRoundings
    : grout::impl::LinalgFoldRoundingsBase<LinalgFoldRoundings> {
  using Base::Base;

  void runOnOperation() override {
    SmallVector<linalg::GenericOp> ops;
    getOperation().walk([&](linalg::GenericOp op) { ops.push_back(op); });
    for (linalg::GenericOp op : ops)
      if (arith::TruncFOp rounding = getOptionalRounding(op))
        fold(op, rounding);
  }

  void fold(linalg::GenericOp op, arith::TruncFOp rounding) {
    SmallVector<Operation *> reshapes;
    auto reader = dyn_cast_or_null<linalg::GenericOp>(
        findReader(op->getResult(0), reshapes).getOperation());
    Value read =
        reshapes.empty() ? op->getResult(0) : reshapes.back()->getResult(0);
    if (!reader || !goesOnInSingle(reader, read))
      return;
    LDBG() << "the result of " << op.getLoc() << " stays f32";
    OpBuilder builder(op);
    Type f32 = builder.getF32Type();
    Value empty = tensor::EmptyOp::create(
        builder, op.getLoc(),
        cast<RankedTensorType>(op->getResult(0).getType()).getShape(), f32);
    op.getDpsInitsMutable()[0].set(empty);
    op.getRegionOutputArgs()[0].setType(f32);
    rounding.replaceAllUsesWith(rounding.getIn());
    rounding.erase();
    setElementType(op->getResult(0), f32);
    for (Operation *reshape : reshapes)
      setElementType(reshape->getResult(0), f32);
    for (OpOperand *operand : reader.getDpsInputOperands())
      if (operand->get() == read)
        widenArgument(builder, reader,
                      reader.getMatchingBlockArgument(operand));
    ++numFolded;
  }
};

} // namespace
