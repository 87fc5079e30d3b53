//===- LinalgToScop.cpp - Memory-bound linalg ops to scop -----------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Conversion/Passes.h"

#include "Grouping.h"
#include "KernelBuilder.h"
#include "Members.h"
#include "TensorOps.h"
#include "grout/Conversion/Common/DeadOps.h"
#include "grout/Conversion/Common/Outputs.h"
#include "grout/Interfaces/LinalgTileKernel.h"
#include "grout/Interfaces/TileKernelInterface.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/DebugLog.h"
#include "llvm/Support/InterleavedRange.h"

#define DEBUG_TYPE "convert-linalg-to-scop"

namespace grout {
#define GEN_PASS_DEF_CONVERTLINALGTOSCOP
#include "grout/Conversion/Passes.h.inc"
} // namespace grout

using namespace mlir;
using namespace grout;
using namespace grout::scop;

/// Decomposes every softmax.
static LogicalResult decomposeSoftmax(func::FuncOp function) {
  SmallVector<linalg::SoftmaxOp> ops;
  function.walk([&](linalg::SoftmaxOp op) { ops.push_back(op); });
  for (linalg::SoftmaxOp op : ops) {
    auto type = dyn_cast<RankedTensorType>(op.getInput().getType());
    if (!type || !type.hasStaticShape())
      return op.emitOpError("must be on a tensor of static extents");
    OpBuilder builder(op);
    FailureOr<SmallVector<Value>> results = op.decomposeOperation(builder);
    if (failed(results))
      return op.emitOpError("cannot be decomposed");
    op->replaceAllUsesWith(*results);
    op.erase();
  }
  return success();
}

/// Moves the ops from `first` up to `kernel` that depend on the kernel behind
/// it.
static void moveUsersBehind(Operation *first, KernelOp kernel) {
  llvm::SmallPtrSet<Operation *, 16> dependent = {kernel};
  Operation *behind = kernel->getNextNode();
  for (Operation *op = first; op != kernel;) {
    Operation *next = op->getNextNode();
    if (llvm::any_of(getProducers(op), [&](Operation *producer) {
          return dependent.contains(producer);
        })) {
      dependent.insert(op);
      op->moveBefore(behind);
    }
    op = next;
  }
}

/// Whether `op` is a tile kernel itself.
static bool isTiled(Operation *op) {
  return op->hasAttr(kLinalgTileSizesAttrName);
}

/// Checks that the tile sizes of `op`, if it has any, suit a tile kernel.
static LogicalResult checkTiles(Operation *op) {
  auto kernel = dyn_cast<TileKernelOpInterface>(op);
  if (!isTiled(op) || !kernel || succeeded(kernel.getTileGrid()))
    return success();
  return op->emitOpError()
         << "needs " << kLinalgTileSizesAttrName
         << " with a positive size for each of its loops, which must have "
            "static extents of at least 1; it may cut one reduction";
}

/// Whether `op` only fills outputs of tile kernels, which can fill them
/// themselves.
static bool isFillOfTiled(Operation *op) {
  return isa<linalg::FillOp>(op) && llvm::all_of(op->getUsers(), isTiled);
}

namespace {

struct ConvertLinalgToScop
    : grout::impl::ConvertLinalgToScopBase<ConvertLinalgToScop> {
  using Base::Base;

  void runOnOperation() override {
    func::FuncOp function = getOperation();
    statements.clear();
    if (failed(decomposeSoftmax(function)) ||
        failed(convertTensorOps(function)))
      return signalPassFailure();
    eraseDeadOps(function);
    if (failed(findStatements(function)))
      return signalPassFailure();
    for (Operation *op : statements)
      if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
        dropUnreadOutputs(linalgOp);

    SmallVector<Block *> blocks;
    for (Operation *op : statements)
      if (!llvm::is_contained(blocks, op->getBlock()))
        blocks.push_back(op->getBlock());
    for (Block *block : blocks)
      convertBlock(*block);
    eraseDeadOps(function);
  }

  /// Collects the ops to convert. Emits errors for those that cannot be
  /// converted.
  LogicalResult findStatements(func::FuncOp function) {
    bool failed = false;
    function.walk([&](Operation *op) {
      if (!isa<linalg::LinalgOp, tensor::ScatterOp>(op))
        return;
      if (keepTiled && (isTiled(op) || isFillOfTiled(op))) {
        failed |= mlir::failed(checkTiles(op));
        return;
      }
      if (!isStatement(op))
        return;
      statements.insert(op);
      failed |= mlir::failed(checkStatement(op));
    });
    return failure(failed);
  }

  /// Whether `op` only fills tensors from which other statements start. These
  /// fill them themselves, so the fill need not tie them together in one
  /// kernel.
  bool isFoldedFill(Operation *op) {
    return isa<linalg::FillOp>(op) &&
           llvm::all_of(op->getUses(), [&](OpOperand &use) {
             auto user = dyn_cast<linalg::LinalgOp>(use.getOwner());
             return user && statements.contains(user) && user.isDpsInit(&use);
           });
  }

  void convertBlock(Block &block) {
    for (Group &group :
         groupStatements(block, maxStatements, [&](Operation *op) {
           return statements.contains(op) && !isFoldedFill(op);
         })) {
      LDBG() << "one kernel of "
             << llvm::interleaved(llvm::map_range(
                    group, [](Operation *op) { return op->getLoc(); }));
      ++numKernels;
      // Kernels before this one may have moved some of its members.
      sortByOrder(group);
      Operation *first = group.front();
      KernelOp kernel = KernelBuilder(group).build();
      moveUsersBehind(first, kernel);
    }
  }

  llvm::SetVector<Operation *> statements;
};

} // namespace
