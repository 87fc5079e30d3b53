//===- ScheduleProblem.h - Whether a GPU runs a schedule --------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_DIALECT_SCOP_TRANSFORMS_SCHEDULEPROBLEM_H
#define GROUT_LIB_DIALECT_SCOP_TRANSFORMS_SCHEDULEPROBLEM_H

#include "grout/Dialect/Scop/IR/Scop.h"

namespace grout::scop {

/// Explains why a GPU cannot run `kernel`, which is on tensors, with the legal
/// schedule `schedule`: returns a sentence without a subject, or an empty
/// string if a GPU can run it. Checks the kernels that the schedule makes of
/// `kernel`. A problem that no schedule solves, such as too many points, does
/// not count.
std::string findScheduleProblem(KernelOp kernel, ScheduleAttr schedule);

} // namespace grout::scop

#endif // GROUT_LIB_DIALECT_SCOP_TRANSFORMS_SCHEDULEPROBLEM_H
