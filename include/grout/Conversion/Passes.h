//===- Passes.h - Conversions -----------------------------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_CONVERSION_PASSES_H
#define GROUT_CONVERSION_PASSES_H

#include "grout/Dialect/TGemm/Transforms/F32Products.h"
#include "grout/Dialect/TSync/IR/ModeOption.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace grout {

#define GEN_PASS_DECL
#include "grout/Conversion/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "grout/Conversion/Passes.h.inc"

} // namespace grout

#endif // GROUT_CONVERSION_PASSES_H
