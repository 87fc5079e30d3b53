//===- ChainTriggers.h - Early starts of launches of a chain ----*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_DIALECT_LAUNCH_TRANSFORMS_CHAINTRIGGERS_H
#define GROUT_LIB_DIALECT_LAUNCH_TRANSFORMS_CHAINTRIGGERS_H

#include "grout/Dialect/Launch/IR/Launch.h"
#include "grout/Dialect/TSync/IR/TSync.h"
#include "grout/Target/TargetSpec.h"

namespace grout::launch {

/// Whether the launch of `kernels`, the first of a chain, starts in order after
/// other launches, even if its mode lets it start early. Blocks that start
/// early go to processors as these become free, so blocks that read the same
/// elements run at different times. That costs far more than a launch if the
/// kernels read more than the caches hold, in several waves.
bool startsInOrder(llvm::ArrayRef<TileKernelOpInterface> kernels,
                   const TargetSpec &target);

/// Returns when the launch of `kernels`, which are of one chain, triggers the
/// start of the launch after it. That is the chain's next launch, or, after its
/// last launch, the chain's next run.
Trigger chooseTrigger(llvm::ArrayRef<TileKernelOpInterface> kernels,
                      const TargetSpec &target);

} // namespace grout::launch

#endif // GROUT_LIB_DIALECT_LAUNCH_TRANSFORMS_CHAINTRIGGERS_H
