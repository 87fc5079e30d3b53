//===- TuningKey.h - What measured times depend on --------------*- C++ -*-===//
//
// Part of Grout. See docs/Tuning.md.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_DIALECT_TGEMM_TRANSFORMS_TUNINGKEY_H
#define GROUT_DIALECT_TGEMM_TRANSFORMS_TUNINGKEY_H

#include "grout/Dialect/TGemm/IR/TGemm.h"
#include <string>

namespace grout::tgemm {

/// A text for everything of `op` that its time with a given tiling depends on:
/// extents, types, how operands are stored, which are the same, the epilogue.
/// Equal products have equal keys, whatever their values are called and in
/// whatever order their epilogues are written.
std::string getProductKey(ProductOpInterface op);

/// The same for `ops`, the products of a function in their order: their keys,
/// and which operand of which is computed from which result.
std::string getChainKey(llvm::ArrayRef<ProductOpInterface> ops);

} // namespace grout::tgemm

#endif // GROUT_DIALECT_TGEMM_TRANSFORMS_TUNINGKEY_H
