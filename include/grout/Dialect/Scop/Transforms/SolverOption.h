//===- SolverOption.h - The solver of schedules, as an option ---*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_DIALECT_SCOP_TRANSFORMS_SOLVEROPTION_H
#define GROUT_DIALECT_SCOP_TRANSFORMS_SOLVEROPTION_H

#include "llvm/Support/CommandLine.h"

namespace grout::scop {

/// The solver that finds the schedules of kernels.
enum class SolverOption { Ilp, Isl };

/// Returns the values of an option of that type.
llvm::cl::ValuesClass getSolverValues();

} // namespace grout::scop

#endif // GROUT_DIALECT_SCOP_TRANSFORMS_SOLVEROPTION_H
