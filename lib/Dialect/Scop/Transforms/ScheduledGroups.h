//===- ScheduledGroups.h - What becomes kernels of its own ------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_DIALECT_SCOP_TRANSFORMS_SCHEDULEDGROUPS_H
#define GROUT_LIB_DIALECT_SCOP_TRANSFORMS_SCHEDULEDGROUPS_H

#include "DistributeKernel.h"

namespace grout::scop {

/// The statements of each kernel that `kernel`, which has a schedule, becomes;
/// one group if it stays one kernel.
std::vector<StatementGroup> getScheduledGroups(KernelOp kernel);

} // namespace grout::scop

#endif // GROUT_LIB_DIALECT_SCOP_TRANSFORMS_SCHEDULEDGROUPS_H
