//===- SolverOption.cpp - Schedulers as an option -------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Dialect/Scop/Transforms/SolverOption.h"

using namespace grout::scop;

llvm::cl::ValuesClass grout::scop::getSolverValues() {
  return llvm::cl::values(
      clEnumValN(SolverOption::Ilp, "ilp",
                 "integer linear programs, one dimension at a time"),
      clEnumValN(SolverOption::Isl, "isl",
                 "isl's own scheduler, which takes no constraint tree"));
}
