//===- ChainTriggers.cpp - When kernels of a chain make way ---------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "ChainTriggers.h"

using namespace mlir;
using namespace grout;
using namespace grout::launch;

/// Whether the operands of `op` come from the cache if it is used again and
/// again, and so fast that a launch takes noticeable time.
static bool isShort(Operation *op, const TargetSpec &target) {
  int64_t bits = 0;
  for (Type type : op->getOperandTypes()) {
    if (auto tensor = dyn_cast<RankedTensorType>(type))
      bits += tensor.getNumElements() * tensor.getElementTypeBitWidth();
  }
  return bits / 8 <= target.getKeptBytes();
}

/// The blocks of `kernels`, one launch, if each tile had its own.
static int64_t getNumBlocks(ArrayRef<TileKernelOpInterface> kernels) {
  int64_t blocks = 0;
  for (TileKernelOpInterface kernel : kernels) {
    int64_t ofKernel = kernel.getTileWork().clusterSize;
    for (int64_t extent : *kernel.getTileGrid())
      ofKernel *= extent;
    blocks += ofKernel;
  }
  return blocks;
}

/// Whether the blocks of `kernels`, one launch, leave few processors idle.
static bool fillsProcessors(ArrayRef<TileKernelOpInterface> kernels,
                            const TargetSpec &target) {
  return 10 * getNumBlocks(kernels) >= 9 * target.processors;
}

bool launch::startsInOrder(ArrayRef<TileKernelOpInterface> kernels,
                           const TargetSpec &target) {
  return getNumBlocks(kernels) > target.processors &&
         llvm::any_of(kernels, [&](TileKernelOpInterface kernel) {
           return !isShort(kernel, target);
         });
}

/// Whether the next run of `chain` may start before its last launch has ended.
/// It may when the blocks of that one have ended, and before that only if it
/// does not matter where its first blocks go: those that start early go to
/// processors as these become free, not evenly, which costs more than a launch
/// where they leave some idle and memory is slow.
static bool triggersNextRun(tsync::ChainOp chain, const TargetSpec &target) {
  if (getLaunchWait(chain.getMode()) == tsync::LaunchWait::BeforeStart)
    return false;
  return fillsProcessors(chain.getLaunches().front(), target) ||
         llvm::all_of(chain.getKernels(), [&](TileKernelOpInterface kernel) {
           return isShort(kernel, target);
         });
}

Trigger launch::chooseTrigger(ArrayRef<TileKernelOpInterface> kernels,
                              const TargetSpec &target) {
  auto chain = kernels.front()->getParentOfType<tsync::ChainOp>();
  if (!target.hasProgrammaticLaunch)
    return Trigger::never;
  SmallVector<TileKernelOpInterface> ofChain = chain.getKernels();
  tsync::LaunchWait wait = chain.getLaunchWait(kernels.front());
  bool isFirst = kernels.front() == ofChain.front();
  bool isLast = kernels.back() == ofChain.back();
  tsync::LaunchWait next = wait;
  if (!isLast)
    next = chain.getLaunchWait(*std::next(llvm::find(ofChain, kernels.back())));
  bool triggers = isLast ? triggersNextRun(chain, target)
                         : next != tsync::LaunchWait::BeforeStart;
  if (!triggers)
    return Trigger::never;
  // Tiles of the next kernel may begin as soon as there are some of this one,
  // unless those wait for launches themselves.
  bool loadsEarly = !isFirst && wait == tsync::LaunchWait::BeforeUse;
  return !loadsEarly && next == tsync::LaunchWait::BeforeEnd
             ? Trigger::at_entry
             : Trigger::after_wait;
}
