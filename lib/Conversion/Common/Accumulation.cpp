//===- Accumulation.cpp - The sums of a linalg op -------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Conversion/Common/Accumulation.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace grout;

/// Whether `op` means the same in a wider type, apart from its roundings.
static bool canBeWider(Operation *op) {
  return isa<arith::ArithDialect, math::MathDialect>(op->getDialect()) &&
         OpTrait::hasElementwiseMappableTraits(op) &&
         !isa<arith::BitcastOp, arith::ScalingExtFOp, arith::ScalingTruncFOp>(
             op);
}

bool grout::roundsNothing(Operation *op) {
  return isa<arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp,
             arith::MinNumFOp, arith::SelectOp, arith::NegFOp, arith::ExtFOp,
             math::AbsFOp, math::CopySignOp>(op);
}

/// Returns the ops of `block` through which `yielded` depends on `carried`.
static SmallVector<Operation *> getChain(Block &block, Value carried,
                                         Value yielded) {
  llvm::DenseSet<Value> dependent = {carried};
  for (Operation &op : block.without_terminator())
    if (llvm::any_of(op.getOperands(),
                     [&](Value value) { return dependent.contains(value); }))
      dependent.insert_range(op.getResults());
  llvm::DenseSet<Value> needed = {yielded};
  SmallVector<Operation *> chain;
  for (Operation &op : llvm::reverse(block.without_terminator())) {
    if (llvm::none_of(op.getResults(),
                      [&](Value value) { return needed.contains(value); }))
      continue;
    needed.insert_range(op.getOperands());
    if (dependent.contains(op.getResult(0)))
      chain.push_back(&op);
  }
  return chain;
}

Accumulation
grout::findAccumulation(linalg::LinalgOp op,
                        llvm::function_ref<bool(FloatType)> isWanted) {
  Accumulation found;
  if (op.getNumReductionLoops() == 0)
    return found;
  Block &block = *op.getBlock();
  for (OpOperand &init : op.getDpsInitsMutable()) {
    BlockArgument carried = op.getMatchingBlockArgument(&init);
    auto type = dyn_cast<FloatType>(carried.getType());
    if (!type || !isWanted(type))
      continue;
    unsigned number = op.getTiedOpResult(&init).getResultNumber();
    SmallVector<Operation *> chain =
        getChain(block, carried, block.getTerminator()->getOperand(number));
    if (llvm::all_of(chain, roundsNothing) || !llvm::all_of(chain, canBeWider))
      continue;
    found.results.push_back(number);
    found.chain.insert_range(chain);
  }
  for (Operation &inner : llvm::reverse(block.without_terminator())) {
    auto belongs = [&](Operation *user) {
      return found.chain.contains(user) || found.terms.contains(user);
    };
    if (!found.chain.contains(&inner) && canBeWider(&inner) &&
        !inner.use_empty() && llvm::all_of(inner.getUsers(), belongs))
      found.terms.insert(&inner);
  }
  return found;
}
