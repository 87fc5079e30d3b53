//===- ScheduledGroups.h - Kernels of a schedule ----------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_DIALECT_SCOP_TRANSFORMS_SCHEDULEDGROUPS_H
#define GROUT_LIB_DIALECT_SCOP_TRANSFORMS_SCHEDULEDGROUPS_H

#include "DistributeKernel.h"

namespace grout::scop {

/// Returns, for each kernel that `kernel` becomes by its schedule, the
/// statements; one group if it stays one kernel.
std::vector<StatementGroup> getScheduledGroups(KernelOp kernel);

} // namespace grout::scop

#endif // GROUT_LIB_DIALECT_SCOP_TRANSFORMS_SCHEDULEDGROUPS_H
