//===- Passes.h - Passes of the grout dialect -------------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_TARGET_TRANSFORMS_PASSES_H
#define GROUT_TARGET_TRANSFORMS_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace grout {

#define GEN_PASS_DECL
#include "grout/Target/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "grout/Target/Transforms/Passes.h.inc"

} // namespace grout

#endif // GROUT_TARGET_TRANSFORMS_PASSES_H
