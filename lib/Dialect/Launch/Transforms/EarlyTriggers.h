//===- EarlyTriggers.h - Launches that trigger early ------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_DIALECT_LAUNCH_TRANSFORMS_EARLYTRIGGERS_H
#define GROUT_LIB_DIALECT_LAUNCH_TRANSFORMS_EARLYTRIGGERS_H

#include "grout/Dialect/Launch/IR/Launch.h"

namespace grout::launch {

/// Makes memory-bound launches of `plan` trigger the launch after them before
/// they wait themselves. A memory-bound launch is short, so its wait takes much
/// of its time. This applies if the launch after it is not memory-bound, and
/// keeps all of its early reads, such as weights. The first launch never
/// triggers early: until it has waited for the work before the plan, weights
/// may not be written yet.
void setEarlyTriggers(PlanOp plan);

} // namespace grout::launch

#endif // GROUT_LIB_DIALECT_LAUNCH_TRANSFORMS_EARLYTRIGGERS_H
