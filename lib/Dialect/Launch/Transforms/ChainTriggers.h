//===- ChainTriggers.h - When kernels of a chain make way -------*- C++ -*-===//
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
/// other launches, though its mode lets it start early. Blocks that start early
/// go to processors as these become free, so that those which read the same are
/// apart. Where they read more than the caches hold, in several waves, that
/// costs far more than a launch.
bool startsInOrder(llvm::ArrayRef<TileKernelOpInterface> kernels,
                   const TargetSpec &target);

/// When the launch of `kernels`, of one chain, triggers the start of the one
/// after it: of the chain's next kernel, or, behind its last, of the chain's
/// next run.
Trigger chooseTrigger(llvm::ArrayRef<TileKernelOpInterface> kernels,
                      const TargetSpec &target);

} // namespace grout::launch

#endif // GROUT_LIB_DIALECT_LAUNCH_TRANSFORMS_CHAINTRIGGERS_H
