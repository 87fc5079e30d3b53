//===- Passes.h - Passes of the scop dialect -----------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_DIALECT_SCOP_TRANSFORMS_PASSES_H
#define GROUT_DIALECT_SCOP_TRANSFORMS_PASSES_H

#include "grout/Dialect/Scop/Transforms/SolverOption.h"
#include "grout/Dialect/TSync/IR/ModeOption.h"
#include "mlir/Pass/Pass.h"

namespace grout::scop {

#define GEN_PASS_DECL
#include "grout/Dialect/Scop/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "grout/Dialect/Scop/Transforms/Passes.h.inc"

} // namespace grout::scop

#endif // GROUT_DIALECT_SCOP_TRANSFORMS_PASSES_H
