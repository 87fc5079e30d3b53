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

/// What a launch takes when it runs alone.
struct LaunchCost {
  /// Seconds from the start of its first block to the end of its last one.
  double seconds = 0;
  /// The share of the target's processors that it keeps busy, up to 1.
  double processors = 0;
  /// The share of the target's memory bandwidth that it needs meanwhile, up
  /// to 1.
  double bandwidth = 0;
  /// Whether memory bounds it, not arithmetic.
  bool isMemoryBound = false;
};

/// The modelled cost of `launch` on `target`. Each block moves and computes at
/// a processor's share of the target's rates, a memory-bound one at up to
/// `maxBandwidthShare` times that; what all blocks move comes from memory.
LaunchCost getLaunchCost(TilesOp launch, const TargetSpec &target);

} // namespace grout::launch

#endif // GROUT_LIB_DIALECT_LAUNCH_TRANSFORMS_LAUNCHCOST_H
