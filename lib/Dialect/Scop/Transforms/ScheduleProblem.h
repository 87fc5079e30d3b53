//===- ScheduleProblem.h - Whether a GPU runs a schedule --------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_DIALECT_SCOP_TRANSFORMS_SCHEDULEPROBLEM_H
#define GROUT_LIB_DIALECT_SCOP_TRANSFORMS_SCHEDULEPROBLEM_H

#include "grout/Dialect/Scop/IR/Scop.h"
#include "grout/Target/TargetSpec.h"

namespace grout::scop {

/// Why `target`, a GPU, cannot run `kernel`, which is on tensors, with
/// `schedule`, which is legal: a sentence without a subject, or an empty string
/// if it can. Asks the kernels that the schedule makes of it.
std::string findScheduleProblem(KernelOp kernel, ScheduleAttr schedule,
                                const TargetSpec &target);

} // namespace grout::scop

#endif // GROUT_LIB_DIALECT_SCOP_TRANSFORMS_SCHEDULEPROBLEM_H
