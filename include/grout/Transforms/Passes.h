//===- Passes.h - Passes on upstream's dialects -----------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_TRANSFORMS_PASSES_H
#define GROUT_TRANSFORMS_PASSES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace grout {

#define GEN_PASS_DECL
#include "grout/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "grout/Transforms/Passes.h.inc"

} // namespace grout

#endif // GROUT_TRANSFORMS_PASSES_H
