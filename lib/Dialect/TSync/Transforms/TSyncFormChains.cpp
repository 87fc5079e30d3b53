//===- TSyncFormChains.cpp - Puts tile kernels into chains ----------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Dialect/TSync/IR/TSync.h"
#include "grout/Dialect/TSync/Transforms/Passes.h"
#include "grout/Interfaces/VerifyTiles.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/DebugLog.h"
#include "llvm/Support/InterleavedRange.h"

#define DEBUG_TYPE "tsync-form-chains"

namespace grout::tsync {
#define GEN_PASS_DEF_TSYNCFORMCHAINS
#include "grout/Dialect/TSync/Transforms/Passes.h.inc"
} // namespace grout::tsync

using namespace mlir;
using namespace grout;
using namespace grout::tsync;

/// Whether `op` is a tile kernel with effects besides its results.
static bool hasEffects(Operation *op) {
  return isa<TileKernelOpInterface>(op) && op->getNumResults() != 0 &&
         !isMemoryEffectFree(op);
}

/// Whether `op` is a tile kernel whose tiles are known or can be chosen.
static bool isKernel(Operation *op) {
  auto kernel = dyn_cast<TileKernelOpInterface>(op);
  return kernel && op->getNumResults() != 0 && !hasEffects(op) &&
         (!kernel.runsWithoutTiles() || succeeded(kernel.getTileGrid()));
}

/// Whether `op` shares its chain with no other kernel in `mode`: it must have a
/// launch of its own, or no tile can wait for its tiles.
static bool isAlone(Operation *op, Mode mode) {
  auto kernel = cast<TileKernelOpInterface>(op);
  return (isOneLaunch(mode) && op->hasAttr(TSyncDialect::kOwnLaunchAttrName)) ||
         hasTilesChosenAtRunTime(kernel) || kernel.isCollective();
}

static bool isView(Operation *op) {
  return isa<tensor::ExtractSliceOp, tensor::ExpandShapeOp,
             tensor::CollapseShapeOp>(op);
}

/// Whether `op`, or an op in its regions, uses a result of one of `ops`.
static bool dependsOn(Operation *op, const llvm::SetVector<Operation *> &ops) {
  return op
      ->walk([&](Operation *inner) {
        return llvm::any_of(inner->getOperands(),
                            [&](Value operand) {
                              return ops.contains(operand.getDefiningOp());
                            })
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Explains why a chain ends before `op`.
static StringRef explainEnd(Operation &op) {
  if (op.hasTrait<OpTrait::IsTerminator>())
    return "the function ends";
  if (!isMemoryEffectFree(&op))
    return "it has side effects";
  if (isa<TileKernelOpInterface>(op))
    return "it has no tiles";
  return "it is no tile kernel and uses a result of the chain";
}

namespace {

struct TSyncFormChains : tsync::impl::TSyncFormChainsBase<TSyncFormChains> {
  using Base::Base;

  void runOnOperation() override {
    auto [chainMode, selectsEdges] = takeExecution();
    reportGivenModes();
    for (Block &block : getOperation().getBody()) {
      llvm::SetVector<Operation *> run;
      for (Operation &op : llvm::make_early_inc_range(block)) {
        // An op that depends on no kernel before it may move before the chain.
        // It does not end the chain. Examples are a constant, or a linalg.fill
        // from which a later kernel starts.
        if (!isKernel(&op) && isMemoryEffectFree(&op) &&
            !op.hasTrait<OpTrait::IsTerminator>() && !dependsOn(&op, run)) {
          if (!run.empty())
            op.moveBefore(run.front());
          continue;
        }
        if (isKernel(&op) && isAlone(&op, chainMode)) {
          LDBG() << op.getLoc() << " has a launch, and so a chain, of its own";
          formChain(run.getArrayRef(), chainMode, selectsEdges);
          run.clear();
          formChain(&op, chainMode, selectsEdges);
          continue;
        }
        if (isKernel(&op) || isView(&op)) {
          run.insert(&op);
          continue;
        }
        if (hasEffects(&op))
          op.emitRemark()
              << "'" << op.getName()
              << "' is not taken into a chain: it has effects on "
                 "memory, or does not say by "
                 "MemoryEffectOpInterface (trait Pure) that it has none";
        if (!run.empty())
          LDBG() << "a chain ends before " << op.getName() << " at "
                 << op.getLoc() << ": " << explainEnd(op);
        formChain(run.getArrayRef(), chainMode, selectsEdges);
        run.clear();
      }
    }
  }

  /// Returns the mode of chains, and whether to select edges: as the option
  /// says, or else as an earlier pass has chosen for the function.
  std::pair<Mode, bool> takeExecution() {
    if (std::optional<Mode> given = tsync::getMode(mode))
      return {*given, false};
    auto chosen = dyn_cast_or_null<ExecutionAttr>(
        getOperation()->removeAttr(ExecutionAttr::getAttrName()));
    if (!chosen)
      return {Mode::persistent, false};
    return {chosen.getMode(), chosen.getSelectsEdges()};
  }

  /// Reports chains of the input whose mode is not that of the option.
  void reportGivenModes() {
    std::optional<Mode> asked = tsync::getMode(mode);
    if (!asked)
      return;
    getOperation().walk([&](ChainOp chain) {
      if (chain.getMode() != *asked)
        chain.emitRemark() << "the chain stays in mode "
                           << stringifyMode(chain.getMode())
                           << ", which it has in the input: mode "
                           << stringifyMode(*asked)
                           << " is for chains that are formed; change the op "
                              "to run it so";
    });
  }

  /// Moves `ops`, which are consecutive, into a chain.
  void formChain(ArrayRef<Operation *> ops, Mode chainMode, bool selectsEdges) {
    if (llvm::none_of(ops, isKernel))
      return;
    // All results of a chain must be static tensors.
    for (Operation *op : ops)
      if (isKernel(op) &&
          failed(verifyTileAnswers(cast<TileKernelOpInterface>(op))))
        return signalPassFailure();
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
    LDBG() << "a chain of " << locations.size() << " kernels in mode "
           << stringifyMode(chainMode) << ": " << llvm::interleaved(locations);
    ++numChains;
    numKernels += locations.size();
    auto chain = ChainOp::create(builder, builder.getFusedLoc(locations),
                                 ValueRange(escaping).getTypes(), chainMode,
                                 selectsEdges,
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
