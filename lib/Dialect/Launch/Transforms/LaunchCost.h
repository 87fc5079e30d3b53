//===- LaunchCost.h - Modelled times and demands of launches ----*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_DIALECT_LAUNCH_TRANSFORMS_LAUNCHCOST_H
#define GROUT_LIB_DIALECT_LAUNCH_TRANSFORMS_LAUNCHCOST_H

#include "grout/Dialect/Launch/IR/Launch.h"
#include "grout/Target/TargetSpec.h"

namespace grout::launch {

/// The cost of a launch that runs alone.
struct LaunchCost {
  /// Seconds from the start of its first block to the end of its last one.
  double seconds = 0;
  /// The fraction of the target's processors that it keeps busy, up to 1.
  double processors = 0;
  /// The fraction of the target's memory bandwidth that it needs meanwhile, up
  /// to 1.
  double bandwidth = 0;
  /// Whether the launch is memory-bound, and not bound by arithmetic.
  bool isMemoryBound = false;
};

/// Returns the modelled cost of `launch` on `target`. Each block moves bytes
/// and computes at one processor's share of the target's rates; a memory-bound
/// block moves bytes at up to `maxBandwidthShare` times that share. All bytes
/// come from memory.
LaunchCost getLaunchCost(TilesOp launch, const TargetSpec &target);

} // namespace grout::launch

#endif // GROUT_LIB_DIALECT_LAUNCH_TRANSFORMS_LAUNCHCOST_H
