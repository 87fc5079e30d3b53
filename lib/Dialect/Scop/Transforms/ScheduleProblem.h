//===- ScheduleProblem.h - Whether a GPU runs a schedule --------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_DIALECT_SCOP_TRANSFORMS_SCHEDULEPROBLEM_H
#define GROUT_LIB_DIALECT_SCOP_TRANSFORMS_SCHEDULEPROBLEM_H

#include "grout/Dialect/Scop/IR/Scop.h"

namespace grout::scop {

/// Why a GPU cannot run `kernel`, which is on tensors, with `schedule`, which
/// is legal: a sentence without a subject, or an empty string if it can. Asks
/// the kernels that the schedule makes of it. What no schedule mends, such as
/// too many points, is no problem of the schedule.
std::string findScheduleProblem(KernelOp kernel, ScheduleAttr schedule);

} // namespace grout::scop

#endif // GROUT_LIB_DIALECT_SCOP_TRANSFORMS_SCHEDULEPROBLEM_H
