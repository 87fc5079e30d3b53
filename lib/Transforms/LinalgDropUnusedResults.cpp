//===- LinalgDropUnusedResults.cpp - Results that nobody reads ------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Transforms/Passes.h"

#include "grout/Conversion/Common/DeadOps.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace grout {
#define GEN_PASS_DEF_LINALGDROPUNUSEDRESULTS
#include "grout/Transforms/Passes.h.inc"
} // namespace grout

using namespace mlir;

/// Adds to `needed` the outputs of `op` from whose elements `value`, a value of
/// the body, is computed.
static void addSources(linalg::GenericOp op, Value value,
                       llvm::SmallBitVector &needed) {
  SetVector<Operation *> slice;
  BackwardSliceOptions options;
  options.inclusive = true;
  options.omitBlockArguments = true;
  options.omitUsesFromAbove = false;
  options.filter = [&](Operation *inner) { return op->isAncestor(inner); };
  SmallVector<Value> values = {value};
  if (value.getDefiningOp() &&
      succeeded(getBackwardSlice(value, &slice, options)))
    for (Operation *inner : slice)
      inner->walk([&](Operation *nested) {
        llvm::append_range(values, nested->getOperands());
      });
  for (Value used : values)
    if (auto argument = dyn_cast<BlockArgument>(used);
        argument && argument.getOwner() == op.getBody() &&
        argument.getArgNumber() >= op.getNumDpsInputs())
      needed.set(argument.getArgNumber() - op.getNumDpsInputs());
}

/// Returns the outputs of `op` that have users, and those from which they are
/// computed.
static llvm::SmallBitVector findNeeded(linalg::GenericOp op) {
  llvm::SmallBitVector needed(op.getNumResults());
  for (OpResult result : op->getResults())
    if (!result.use_empty())
      needed.set(result.getResultNumber());
  Operation *yield = op.getBody()->getTerminator();
  llvm::SmallBitVector before;
  do {
    before = needed;
    for (unsigned number : before.set_bits())
      addSources(op, yield->getOperand(number), needed);
  } while (before != needed);
  return needed;
}

/// Replaces `op` by an op that has the `kept` outputs only, unless a loop's
/// extent is that of another output only.
static void keepOutputs(linalg::GenericOp op,
                        const llvm::SmallBitVector &kept) {
  unsigned numInputs = op.getNumDpsInputs();
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  SmallVector<AffineMap> keptMaps(ArrayRef(maps).take_front(numInputs));
  SmallVector<Value> outputs, yielded;
  Operation *yield = op.getBody()->getTerminator();
  for (unsigned number : kept.set_bits()) {
    keptMaps.push_back(maps[numInputs + number]);
    outputs.push_back(op.getDpsInits()[number]);
    yielded.push_back(yield->getOperand(number));
  }
  if (!inversePermutation(concatAffineMaps(keptMaps, op.getContext())))
    return;
  OpBuilder builder(op);
  auto smaller = linalg::GenericOp::create(
      builder, op.getLoc(), ValueRange(outputs).getTypes(), op.getInputs(),
      outputs, keptMaps, op.getIteratorTypesArray());
  smaller->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  smaller.getRegion().takeBody(op.getRegion());

  yield->setOperands(yielded);
  for (auto [number, result] :
       llvm::zip_equal(kept.set_bits(), smaller->getResults()))
    op.getResult(number).replaceAllUsesWith(result);
  op.erase();
  grout::eraseDeadOps(smaller);
  Block *body = smaller.getBody();
  for (unsigned number = kept.size(); number-- > 0;)
    if (!kept[number])
      body->eraseArgument(numInputs + number);
}

namespace {

struct LinalgDropUnusedResults
    : grout::impl::LinalgDropUnusedResultsBase<LinalgDropUnusedResults> {
  using Base::Base;

  void runOnOperation() override {
    func::FuncOp function = getOperation();
    grout::eraseDeadOps(function);
    for (Block &block : function.getBody()) {
      auto ops = llvm::to_vector(block.getOps<linalg::GenericOp>());
      for (linalg::GenericOp op : llvm::reverse(ops)) {
        // A check in the body, such as cf.assert, reads any outputs.
        if (!op.hasPureTensorSemantics() || !isMemoryEffectFree(op))
          continue;
        llvm::SmallBitVector needed = findNeeded(op);
        if (needed.any() && !needed.all())
          keepOutputs(op, needed);
      }
    }
  }
};

} // namespace
