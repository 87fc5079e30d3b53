//===- KernelLevels.cpp - How many kernels come before an op --------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "KernelLevels.h"

#include "grout/Interfaces/TileKernelInterface.h"

using namespace mlir;
using namespace grout;
using namespace grout::tgemm;

/// Whether `op` is a kernel, or contains one.
static bool isLaunched(Operation *op) {
  return op
      ->walk([](Operation *inner) {
        return isa<TileKernelOpInterface>(inner) ? WalkResult::interrupt()
                                                 : WalkResult::advance();
      })
      .wasInterrupted();
}

KernelLevels::KernelLevels(Block &block) {
  // For each op, the level of ops that use its results.
  llvm::DenseMap<Operation *, unsigned> behind;
  for (Operation &op : block) {
    unsigned level = 0;
    op.walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        level = std::max(level, behind.lookup(operand.getDefiningOp()));
    });
    levels[&op] = level;
    behind[&op] = level + (isLaunched(&op) ? 1 : 0);
  }
}
