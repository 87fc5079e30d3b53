//===- SparseLoops.h - Loops of which most iterations are empty -*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_DIALECT_SCOP_TRANSFORMS_SPARSELOOPS_H
#define GROUT_LIB_DIALECT_SCOP_TRANSFORMS_SPARSELOOPS_H

#include "grout/Dialect/Scop/IR/Scop.h"

namespace grout::scop {

/// Why `schedule`, which is legal for `kernel`, takes far too long: a dimension
/// of it is a loop of many more iterations than there are points of statements,
/// as rows with large coefficients make one. A sentence without a subject, or
/// an empty string.
std::string findSparseLoop(KernelOp kernel, ScheduleAttr schedule);

} // namespace grout::scop

#endif // GROUT_LIB_DIALECT_SCOP_TRANSFORMS_SPARSELOOPS_H
