//===- EarlyTriggers.h - Launches that make way before they wait -*- C++
//-*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_DIALECT_LAUNCH_TRANSFORMS_EARLYTRIGGERS_H
#define GROUT_LIB_DIALECT_LAUNCH_TRANSFORMS_EARLYTRIGGERS_H

#include "grout/Dialect/Launch/IR/Launch.h"

namespace grout::launch {

/// Has memory-bound launches of `plan` trigger the one behind them before they
/// wait themselves, where that is a product or the like which loads ahead no
/// less for it: what it loads, such as weights, has ended when the memory-bound
/// launch starts. That is short, so that its wait is much of its time.
void setEarlyTriggers(PlanOp plan);

} // namespace grout::launch

#endif // GROUT_LIB_DIALECT_LAUNCH_TRANSFORMS_EARLYTRIGGERS_H
