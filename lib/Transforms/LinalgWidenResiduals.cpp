//===- LinalgWidenResiduals.cpp - Residual sums in f32 --------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Transforms/Passes.h"

#include "WidenTensor.h"
#include "grout/Conversion/Common/Accumulation.h"
#include "grout/Conversion/Common/ComputeBound.h"
#include "grout/Interfaces/LinalgTileKernel.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "linalg-widen-residuals"

namespace grout {
#define GEN_PASS_DEF_LINALGWIDENRESIDUALS
#include "grout/Transforms/Passes.h.inc"
} // namespace grout

using namespace mlir;
using namespace grout;

/// Returns the sum that `op` rounds to f16 or bf16 as its last step; null if
/// there is none.
static arith::AddFOp getRoundedSum(linalg::GenericOp op) {
  arith::TruncFOp rounding = getLastRounding(op);
  if (!rounding || !isNarrowFloat(rounding.getType()) ||
      op.getNumParallelLoops() != op.getNumLoops() ||
      op->hasAttr(kLinalgTileSizesAttrName))
    return {};
  return rounding.getIn().getDefiningOp<arith::AddFOp>();
}

/// Whether `op` computes floats, and is memory-bound.
static bool isMemoryBound(linalg::GenericOp op) {
  return op.hasPureTensorSemantics() && getComputeBound(op).empty() &&
         !op->hasAttr(kLinalgTileSizesAttrName) &&
         llvm::all_of(op->getResultTypes(), [](Type type) {
           return isa<FloatType>(getElementTypeOrSelf(type));
         });
}

/// Whether all uses of `argument` widen it.
static bool widens(BlockArgument argument) {
  return llvm::all_of(argument.getUsers(), [](Operation *user) {
    auto extension = dyn_cast<arith::ExtFOp>(user);
    return extension && extension.getType().isF32();
  });
}

/// Whether `argument`, widened, is a term of `sum`.
static bool adds(arith::AddFOp sum, BlockArgument argument) {
  return llvm::any_of(sum->getOperands(), [&](Value term) {
    auto extension = term.getDefiningOp<arith::ExtFOp>();
    return extension && extension.getIn() == argument;
  });
}

/// Whether all ops that read `value`, directly or after reshapes, can read f32.
/// Sets `isAddedTo` if one of them adds something to it.
static bool canBeWide(Value value, bool &isAddedTo) {
  return llvm::all_of(value.getUses(), [&](OpOperand &use) {
    Operation *user = use.getOwner();
    if (isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(user))
      return canBeWide(user->getResult(0), isAddedTo);
    auto op = dyn_cast<linalg::GenericOp>(user);
    if (!op || !op.isDpsInput(&use) || !isMemoryBound(op))
      return false;
    BlockArgument argument = op.getMatchingBlockArgument(&use);
    if (arith::AddFOp sum = getRoundedSum(op))
      isAddedTo |= adds(sum, argument);
    return widens(argument);
  });
}

namespace {

struct LinalgWidenResiduals
    : grout::impl::LinalgWidenResidualsBase<LinalgWidenResiduals> {
  using Base::Base;

  void runOnOperation() override {
    // Find all residuals first, before any op is changed.
    SmallVector<linalg::GenericOp> residuals;
    getOperation().walk([&](linalg::GenericOp op) {
      bool isAddedTo = false;
      if (getRoundedSum(op) && canBeWide(op->getResult(0), isAddedTo) &&
          isAddedTo)
        residuals.push_back(op);
    });
    for (linalg::GenericOp op : residuals) {
      LDBG() << "the sum at " << op.getLoc() << " is f32";
      widenTensor(op, getLastRounding(op));
      ++numWidened;
    }
  }
};

} // namespace
