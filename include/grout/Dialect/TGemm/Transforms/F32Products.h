//===- F32Products.h - How products of f32 are computed ---------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_DIALECT_TGEMM_TRANSFORMS_F32PRODUCTS_H
#define GROUT_DIALECT_TGEMM_TRANSFORMS_F32PRODUCTS_H

#include "llvm/Support/CommandLine.h"

namespace grout::tgemm {

/// As what products of f32 are computed.
enum class F32Products {
  /// Exact, where the target multiplies f32, and BF16x6 where it does not.
  Auto,
  /// f32.
  Exact,
  /// Sums of six and of three products of bf16.
  BF16x6,
  BF16x3,
  /// Products of bf16, to which factors are rounded.
  BF16
};

/// What an option of that type may be.
llvm::cl::ValuesClass getF32ProductsValues();

} // namespace grout::tgemm

#endif // GROUT_DIALECT_TGEMM_TRANSFORMS_F32PRODUCTS_H
