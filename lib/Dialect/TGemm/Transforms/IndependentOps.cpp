//===- IndependentOps.cpp - Ops that can stand side by side ---------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "IndependentOps.h"

#include "mlir/IR/Block.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace grout::tgemm;

/// Calls `visit` for each op in the block of `op` whose result is used by `op`,
/// or by an op in the regions of `op`.
static void forEachNeeded(Operation *op,
                          function_ref<void(Operation *)> visit) {
  op->walk([&](Operation *inner) {
    for (Value operand : inner->getOperands())
      if (Operation *needed = operand.getDefiningOp();
          needed && needed->getBlock() == op->getBlock())
        visit(needed);
  });
}

/// Returns the ops, from `first` on, that `op` depends on directly or
/// indirectly.
static llvm::SetVector<Operation *> findNeeded(Operation *first,
                                               Operation *op) {
  llvm::SetVector<Operation *> needed;
  SmallVector<Operation *> left = {op};
  while (!left.empty())
    forEachNeeded(left.pop_back_val(), [&](Operation *other) {
      if (!other->isBeforeInBlock(first) && needed.insert(other))
        left.push_back(other);
    });
  return needed;
}

bool IndependentOps::canAdd(Operation *op,
                            function_ref<bool(Operation *)> mustStay) const {
  Operation *first = ops.front();
  return op->getBlock() == first->getBlock() && first->isBeforeInBlock(op) &&
         !llvm::is_contained(ops, op) && !dependents.contains(op) &&
         !needed.contains(op) &&
         llvm::none_of(findNeeded(first, op), [&](Operation *other) {
           return mustStay(other) || !isMemoryEffectFree(other);
         });
}

void IndependentOps::add(Operation *op) {
  ops.push_back(op);
  needed.insert_range(findNeeded(ops.front(), op));
  SmallVector<Operation *> left = {op};
  while (!left.empty())
    for (Operation *user : left.pop_back_val()->getUsers())
      if (Operation *dependent = op->getBlock()->findAncestorOpInBlock(*user);
          dependent && dependents.insert(dependent).second)
        left.push_back(dependent);
}

void IndependentOps::moveTogether(ArrayRef<Operation *> sorted) const {
  Operation *first = ops.front(), *last = first;
  for (Operation *op : ArrayRef(ops).drop_front()) {
    SmallVector<Operation *> before = findNeeded(first, op).takeVector();
    llvm::sort(before, [](Operation *one, Operation *other) {
      return one->isBeforeInBlock(other);
    });
    for (Operation *other : before)
      other->moveBefore(first);
    op->moveAfter(last);
    last = op;
  }
  Operation *end = last->getNextNode();
  for (Operation *op : sorted)
    op->moveBefore(end);
}
