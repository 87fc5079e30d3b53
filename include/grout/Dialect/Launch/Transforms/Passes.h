//===- Passes.h - Passes of the launch dialect ------------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_DIALECT_LAUNCH_TRANSFORMS_PASSES_H
#define GROUT_DIALECT_LAUNCH_TRANSFORMS_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace grout::launch {

#define GEN_PASS_DECL
#include "grout/Dialect/Launch/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "grout/Dialect/Launch/Transforms/Passes.h.inc"

} // namespace grout::launch

#endif // GROUT_DIALECT_LAUNCH_TRANSFORMS_PASSES_H
