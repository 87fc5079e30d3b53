//===- F32Products.h - How f32 GEMMs are computed ---------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_DIALECT_TGEMM_TRANSFORMS_F32PRODUCTS_H
#define GROUT_DIALECT_TGEMM_TRANSFORMS_F32PRODUCTS_H

#include "llvm/Support/CommandLine.h"

namespace grout::tgemm {

/// How GEMMs of f32 are computed.
enum class F32Products {
  /// Exact if the target multiplies f32, otherwise BF16x6.
  Auto,
  /// By multiplications of f32.
  Exact,
  /// By six or three multiplications of bf16 for each multiplication of f32.
  BF16x6,
  BF16x3,
  /// By multiplications of bf16, to which operands are rounded.
  BF16
};

/// Returns the values of an option of that type.
llvm::cl::ValuesClass getF32ProductsValues();

} // namespace grout::tgemm

#endif // GROUT_DIALECT_TGEMM_TRANSFORMS_F32PRODUCTS_H
