//===- EarlyReads.h - What launches may read before they wait ---*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_DIALECT_LAUNCH_TRANSFORMS_EARLYREADS_H
#define GROUT_LIB_DIALECT_LAUNCH_TRANSFORMS_EARLYREADS_H

#include "grout/Dialect/Launch/IR/Launch.h"

namespace grout::launch {

/// Says of each launch of `plan` that starts early, and waits by itself, which
/// inputs it may read before: those that only launches write which have ended
/// when it starts, as the edges say, all of which are there. Weights are among
/// them; what it updates itself is not, as it may read that again. The first
/// launch may read nothing early: the plan's inputs may be written by what
/// precedes it.
void setEarlyReads(PlanOp plan);

} // namespace grout::launch

#endif // GROUT_LIB_DIALECT_LAUNCH_TRANSFORMS_EARLYREADS_H
