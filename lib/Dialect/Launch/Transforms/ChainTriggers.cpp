//===- ChainTriggers.cpp - Early starts of launches of a chain ------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "ChainTriggers.h"

using namespace mlir;
using namespace grout;
using namespace grout::launch;

/// Whether the operands of `op` stay in the cache if it runs again and again.
/// Then `op` is so short that its launch takes noticeable time.
static bool isShort(Operation *op, const TargetSpec &target) {
  int64_t bits = 0;
  for (Type type : op->getOperandTypes()) {
    if (auto tensor = dyn_cast<RankedTensorType>(type))
      bits += tensor.getNumElements() * tensor.getElementTypeBitWidth();
  }
  return bits / 8 <= target.getKeptBytes();
}

/// Returns the number of blocks of `kernels`, which share a launch, if each
/// tile had blocks of its own.
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

/// Whether the blocks of `kernels`, which share a launch, leave few processors
/// idle.
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

/// Whether the last launch of `chain` lets the next run start early. Blocks
/// that start early go to processors as these become free, and not evenly. That
/// costs more than a launch if the first launch leaves processors idle, and
/// reads from memory. So early starts need a first launch that fills the
/// processors, or operands that are in the cache.
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
  // Tiles of the next kernel may begin as soon as some tiles of this kernel
  // have begun, unless tiles of this kernel wait for launches themselves.
  bool loadsEarly = !isFirst && wait == tsync::LaunchWait::BeforeUse;
  return !loadsEarly && next == tsync::LaunchWait::BeforeEnd
             ? Trigger::at_entry
             : Trigger::after_wait;
}
