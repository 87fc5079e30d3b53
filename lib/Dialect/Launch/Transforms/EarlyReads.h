//===- EarlyReads.h - Inputs that launches read early -----------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_DIALECT_LAUNCH_TRANSFORMS_EARLYREADS_H
#define GROUT_LIB_DIALECT_LAUNCH_TRANSFORMS_EARLYREADS_H

#include "grout/Dialect/Launch/IR/Launch.h"

namespace grout::launch {

/// Sets the inputs that each launch of `plan` may read before it waits, if the
/// launch starts early and its kernel waits itself. These are the inputs whose
/// writers have all ended when the launch starts, as edges guarantee. Weights
/// are among them. A buffer that the launch itself updates is not, as the
/// launch may read it again. The first launch may read nothing early: the work
/// before the plan may write the plan's inputs.
void setEarlyReads(PlanOp plan);

} // namespace grout::launch

#endif // GROUT_LIB_DIALECT_LAUNCH_TRANSFORMS_EARLYREADS_H
