//===- Passes.h - Passes of the tgemm dialect ----------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_DIALECT_TGEMM_TRANSFORMS_PASSES_H
#define GROUT_DIALECT_TGEMM_TRANSFORMS_PASSES_H

#include "grout/Dialect/TGemm/Transforms/F32Products.h"
#include "grout/Dialect/TSync/IR/ModeOption.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace grout::tgemm {

#define GEN_PASS_DECL
#include "grout/Dialect/TGemm/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "grout/Dialect/TGemm/Transforms/Passes.h.inc"

} // namespace grout::tgemm

#endif // GROUT_DIALECT_TGEMM_TRANSFORMS_PASSES_H
