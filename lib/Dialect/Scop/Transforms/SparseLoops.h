//===- SparseLoops.h - Loops with mostly empty iterations -------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_DIALECT_SCOP_TRANSFORMS_SPARSELOOPS_H
#define GROUT_LIB_DIALECT_SCOP_TRANSFORMS_SPARSELOOPS_H

#include "grout/Dialect/Scop/IR/Scop.h"

namespace grout::scop {

/// Explains why `schedule`, which is legal for `kernel`, takes far too long:
/// one of its dimensions is a loop with many more iterations than statements
/// have points, for example because of large coefficients in its rows. Returns
/// a sentence without a subject, or an empty string.
std::string findSparseLoop(KernelOp kernel, ScheduleAttr schedule);

} // namespace grout::scop

#endif // GROUT_LIB_DIALECT_SCOP_TRANSFORMS_SPARSELOOPS_H
