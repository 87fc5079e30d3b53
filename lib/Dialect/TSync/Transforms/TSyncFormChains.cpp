//===- TSyncFormChains.cpp - Puts tile kernels into chains ----------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Dialect/TSync/IR/TSync.h"
#include "grout/Dialect/TSync/Transforms/Passes.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"

namespace grout::tsync {
#define GEN_PASS_DEF_TSYNCFORMCHAINS
#include "grout/Dialect/TSync/Transforms/Passes.h.inc"
} // namespace grout::tsync

using namespace mlir;
using namespace grout;
using namespace grout::tsync;

/// Whether `op` is a tile kernel whose tiles are known or can be chosen.
static bool isKernel(Operation *op) {
  auto kernel = dyn_cast<TileKernelOpInterface>(op);
  return kernel && op->getNumResults() != 0;
}

static bool isView(Operation *op) {
  return isa<tensor::ExtractSliceOp, tensor::ExpandShapeOp,
             tensor::CollapseShapeOp>(op);
}

namespace {

struct TSyncFormChains : tsync::impl::TSyncFormChainsBase<TSyncFormChains> {
  using Base::Base;

  void runOnOperation() override {
    std::optional<Mode> chainMode = symbolizeMode(mode);
    if (!chainMode) {
      getOperation().emitError() << "unknown mode '" << mode
                                 << "'; modes are serial, pdl and persistent";
      return signalPassFailure();
    }
    for (Block &block : getOperation().getBody()) {
      SmallVector<Operation *> run;
      for (Operation &op : llvm::make_early_inc_range(block)) {
        if (isKernel(&op) || isView(&op)) {
          run.push_back(&op);
          continue;
        }
        // An op that makes a constant or an empty tensor depends on nothing,
        // and does not part the kernels on its two sides.
        if (op.getNumOperands() == 0 && op.getNumRegions() == 0 &&
            isMemoryEffectFree(&op) && !op.hasTrait<OpTrait::IsTerminator>()) {
          if (!run.empty())
            op.moveBefore(run.front());
          continue;
        }
        formChain(run, *chainMode);
        run.clear();
      }
    }
  }

  /// Moves `ops`, which follow each other, into a chain.
  void formChain(ArrayRef<Operation *> ops, Mode chainMode) {
    if (llvm::none_of(ops, isKernel))
      return;
    OpBuilder builder(ops.front());
    SmallVector<Value> escaping;
    for (Operation *op : ops)
      for (Value result : op->getResults())
        if (llvm::any_of(result.getUsers(), [&](Operation *user) {
              return !llvm::is_contained(ops, user);
            }))
          escaping.push_back(result);

    SmallVector<Location> locations;
    for (Operation *op : ops)
      if (isKernel(op))
        locations.push_back(op->getLoc());
    auto chain = ChainOp::create(builder, builder.getFusedLoc(locations),
                                 ValueRange(escaping).getTypes(), chainMode,
                                 /*order=*/ArrayAttr(),
                                 /*residents=*/IntegerAttr());
    Block &body = chain.getBody().emplaceBlock();
    for (Operation *op : ops)
      op->moveBefore(&body, body.end());
    builder.setInsertionPointToEnd(&body);
    YieldOp::create(builder, chain.getLoc(), escaping);
    for (auto [value, result] : llvm::zip_equal(escaping, chain.getResults()))
      value.replaceUsesWithIf(result, [&](OpOperand &use) {
        return !chain->isProperAncestor(use.getOwner());
      });
  }
};

} // namespace
