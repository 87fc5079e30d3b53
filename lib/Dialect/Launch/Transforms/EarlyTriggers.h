//===- EarlyTriggers.h - Launches that make way early -----------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_DIALECT_LAUNCH_TRANSFORMS_EARLYTRIGGERS_H
#define GROUT_LIB_DIALECT_LAUNCH_TRANSFORMS_EARLYTRIGGERS_H

#include "grout/Dialect/Launch/IR/Launch.h"

namespace grout::launch {

/// Has memory-bound launches of `plan` trigger the one behind them before they
/// wait themselves, where that is a product or the like that has early reads,
/// such as of weights, and no fewer so: a memory-bound launch is short, so that
/// its wait is much of its time. The first launch never does, as nobody knows
/// whether weights are there before it has waited for what precedes the plan.
void setEarlyTriggers(PlanOp plan);

} // namespace grout::launch

#endif // GROUT_LIB_DIALECT_LAUNCH_TRANSFORMS_EARLYTRIGGERS_H
