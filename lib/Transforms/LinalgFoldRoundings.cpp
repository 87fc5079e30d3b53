//===- LinalgFoldRoundings.cpp - Tensors of one kernel in f32 -------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Transforms/Passes.h"

#include "WidenTensor.h"
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

/// Returns the only op that reads `value`, directly or after reshapes; then
/// sets `value` to the operand that the op reads. Returns null if there are
/// several such ops, or if it is not a memory-bound linalg op.
static linalg::LinalgOp findReader(Value &value) {
  while (!value.use_empty() && llvm::all_equal(value.getUsers())) {
    Operation *user = *value.getUsers().begin();
    if (isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(user)) {
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

/// Whether `op` computes in f32 with elements that it reads of `value`.
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
    for (linalg::GenericOp op : ops) {
      arith::TruncFOp rounding = getLastRounding(op);
      if (isOptionalRounding(rounding))
        fold(op, rounding);
    }
  }

  void fold(linalg::GenericOp op, arith::TruncFOp rounding) {
    Value read = op->getResult(0);
    auto reader =
        dyn_cast_or_null<linalg::GenericOp>(findReader(read).getOperation());
    if (!reader || !goesOnInSingle(reader, read))
      return;
    LDBG() << "the result of " << op.getLoc() << " stays f32";
    widenTensor(op, rounding);
    ++numFolded;
  }
};

} // namespace
