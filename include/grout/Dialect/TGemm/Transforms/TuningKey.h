//===- TuningKey.h - Keys of measured times ---------------------*- C++ -*-===//
//
// Part of Grout. See docs/Tuning.md.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_DIALECT_TGEMM_TRANSFORMS_TUNINGKEY_H
#define GROUT_DIALECT_TGEMM_TRANSFORMS_TUNINGKEY_H

#include "grout/Dialect/TGemm/IR/TGemm.h"
#include <string>

namespace grout::tgemm {

/// Returns a text of all properties of `op` on which its time with a given
/// tiling depends: extents, types, how operands are stored, which operands are
/// the same, and the epilogue. Equal GEMMs have equal keys, whatever the names
/// of their values and the order of operations in their epilogues.
std::string getProductKey(ProductOpInterface op);

/// Returns the same for `ops`, the GEMMs of a function in order: their keys,
/// and for each operand that is computed from a result, this result.
std::string getChainKey(llvm::ArrayRef<ProductOpInterface> ops);

} // namespace grout::tgemm

#endif // GROUT_DIALECT_TGEMM_TRANSFORMS_TUNINGKEY_H
