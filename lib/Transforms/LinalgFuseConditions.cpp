//===- LinalgFuseConditions.cpp - Truth values of one reader --------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Transforms/Passes.h"

#include "grout/Interfaces/LinalgTileKernel.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "linalg-fuse-conditions"

namespace grout {
#define GEN_PASS_DEF_LINALGFUSECONDITIONS
#include "grout/Transforms/Passes.h.inc"
} // namespace grout

using namespace mlir;
using namespace grout;

/// Whether `op` has tile sizes of its own, which those of another op replace.
static bool isTiled(linalg::GenericOp op) {
  return op->hasAttr(kLinalgTileSizesAttrName);
}

/// The operand of the one elementwise op that reads the truth values of `op`,
/// and can compute them itself; else null.
static OpOperand *findReader(linalg::GenericOp op) {
  if (op->getNumResults() != 1 || isTiled(op) ||
      !getElementTypeOrSelf(op->getResult(0).getType()).isInteger(1) ||
      !op->hasOneUse())
    return nullptr;
  OpOperand &use = *op->getUses().begin();
  auto reader = dyn_cast<linalg::GenericOp>(use.getOwner());
  bool canFuse = reader && !isTiled(reader) && linalg::isElementwise(op) &&
                 linalg::isElementwise(reader) && reader.isDpsInput(&use) &&
                 linalg::areElementwiseOpsFusable(&use);
  return canFuse ? &use : nullptr;
}

namespace {

struct LinalgFuseConditions
    : grout::impl::LinalgFuseConditionsBase<LinalgFuseConditions> {
  using Base::Base;

  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    // What reads a condition may be one.
    SmallVector<linalg::GenericOp> ops;
    getOperation().walk([&](linalg::GenericOp op) { ops.push_back(op); });
    for (linalg::GenericOp &op : ops) {
      OpOperand *use = findReader(op);
      if (!use)
        continue;
      auto reader = cast<linalg::GenericOp>(use->getOwner());
      rewriter.setInsertionPoint(reader);
      FailureOr<linalg::ElementwiseOpFusionResult> fused =
          linalg::fuseElementwiseOps(rewriter, use);
      if (failed(fused))
        continue;
      LDBG() << "the condition of " << op.getLoc() << " becomes part of "
             << reader.getLoc();
      for (auto [result, replacement] : fused->replacements)
        rewriter.replaceAllUsesWith(result, replacement);
      *llvm::find(ops, reader) = cast<linalg::GenericOp>(fused->fusedOp);
      rewriter.eraseOp(reader);
      rewriter.eraseOp(op);
      ++numFused;
    }
  }
};

} // namespace
