//===- SolverOption.h - Who finds schedules, as an option -------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_DIALECT_SCOP_TRANSFORMS_SOLVEROPTION_H
#define GROUT_DIALECT_SCOP_TRANSFORMS_SOLVEROPTION_H

#include "llvm/Support/CommandLine.h"

namespace grout::scop {

/// Who finds the schedules of kernels.
enum class SolverOption { Ilp, Isl };

/// What an option of that type may be.
llvm::cl::ValuesClass getSolverValues();

} // namespace grout::scop

#endif // GROUT_DIALECT_SCOP_TRANSFORMS_SOLVEROPTION_H
