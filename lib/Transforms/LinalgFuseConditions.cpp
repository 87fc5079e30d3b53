//===- LinalgFuseConditions.cpp - Fuses truth values into readers ---------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Transforms/Passes.h"

#include "grout/Interfaces/LinalgTileKernel.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "linalg-fuse-conditions"

namespace grout {
#define GEN_PASS_DEF_LINALGFUSECONDITIONS
#include "grout/Transforms/Passes.h.inc"
} // namespace grout

using namespace mlir;
using namespace grout;

/// Whether `op` has tile sizes, which those of another op would replace.
static bool isTiled(linalg::GenericOp op) {
  return op->hasAttr(kLinalgTileSizesAttrName);
}

/// Returns the operand of the only op that reads the truth values of `op`, if
/// that op is elementwise and can compute them itself; else null.
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
    SmallVector<linalg::GenericOp> ops;
    getOperation().walk([&](linalg::GenericOp op) { ops.push_back(op); });
    llvm::DenseMap<Operation *, size_t> numbers;
    for (auto [number, op] : llvm::enumerate(ops))
      numbers[op] = number;
    llvm::SetVector<size_t> fused;
    // The reader of a condition may compute a condition, too.
    for (size_t number = 0; number != ops.size(); ++number) {
      OpOperand *use = findReader(ops[number]);
      if (!use)
        continue;
      auto reader = cast<linalg::GenericOp>(use->getOwner());
      size_t ofReader = numbers.lookup(reader);
      linalg::GenericOp both = fuse(ops[number], reader, *use);
      if (!both)
        continue;
      ops[ofReader] = both;
      numbers[both] = ofReader;
      fused.remove(number);
      fused.insert(ofReader);
      ++numFused;
    }
    deduplicateOperands(llvm::map_to_vector(
        fused, [&](size_t number) { return ops[number].getOperation(); }));
  }

  /// Fuses `op` into `reader`, whose operand `use` is its result. Returns the
  /// op that replaces both, or null.
  linalg::GenericOp fuse(linalg::GenericOp op, linalg::GenericOp reader,
                         OpOperand &use) {
    IRRewriter rewriter(reader);
    FailureOr<linalg::ElementwiseOpFusionResult> result =
        linalg::fuseElementwiseOps(rewriter, &use);
    if (failed(result))
      return {};
    LDBG() << "the condition of " << op.getLoc() << " becomes part of "
           << reader.getLoc();
    for (auto [before, after] : result->replacements)
      rewriter.replaceAllUsesWith(before, after);
    rewriter.eraseOp(reader);
    rewriter.eraseOp(op);
    return cast<linalg::GenericOp>(result->fusedOp);
  }

  /// Removes duplicate operands of `ops`: two fused ops may have read the same
  /// tensor.
  void deduplicateOperands(ArrayRef<Operation *> ops) {
    RewritePatternSet patterns(&getContext());
    linalg::populateEraseUnusedOperandsAndResultsPatterns(patterns);
    GreedyRewriteConfig config;
    config.setStrictness(GreedyRewriteStrictness::ExistingOps);
    (void)applyOpPatternsGreedily(ops, std::move(patterns), config);
  }
};

} // namespace
