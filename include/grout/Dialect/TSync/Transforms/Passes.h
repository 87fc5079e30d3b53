//===- Passes.h - Passes of the tsync dialect ----------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_DIALECT_TSYNC_TRANSFORMS_PASSES_H
#define GROUT_DIALECT_TSYNC_TRANSFORMS_PASSES_H

#include "grout/Dialect/TSync/IR/ModeOption.h"
#include "grout/Dialect/TSync/Transforms/GranularityOption.h"
#include "grout/Isl/IslContext.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace grout::tsync {

#define GEN_PASS_DECL
#include "grout/Dialect/TSync/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "grout/Dialect/TSync/Transforms/Passes.h.inc"

} // namespace grout::tsync

#endif // GROUT_DIALECT_TSYNC_TRANSFORMS_PASSES_H
