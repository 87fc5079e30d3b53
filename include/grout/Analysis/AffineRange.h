//===- AffineRange.h - Ranges of affine expressions -------------*- C++ -*-===//
//
// Part of Grout. The proofs use integers of any size, the code that is made
// from the same maps 64 bits: this says where both are the same. Upstream's
// getBoundForAffineExpr has no divisions and ValueBoundsConstraintSet bounds
// values, not expressions; neither says whether 64 bits hold what is between.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_ANALYSIS_AFFINERANGE_H
#define GROUT_ANALYSIS_AFFINERANGE_H

#include "grout/Isl/IslContext.h"
#include "mlir/IR/AffineMap.h"

namespace grout {

/// The integers from `low` to `high`, both included; none if `low` is above
/// `high`.
struct IntegerRange {
  int64_t low = 0, high = 0;
};

/// The largest magnitude of what generated code may compute from an affine map.
/// A quarter of what 64 bits hold: a division that rounds down may add or
/// negate once more, and a loop step past its end.
inline constexpr int64_t kMaxAffineValue = int64_t(1) << 61;

/// The values that `expr` may take where dimension i is in `dims[i]`: exact at
/// each operation, so at least those that it does take. Fails (Invalid) if one
/// of its parts may be beyond kMaxAffineValue, if it divides by less than 1, or
/// if it is not affine without symbols.
llvm::Expected<IntegerRange> getRange(mlir::AffineExpr expr,
                                      llvm::ArrayRef<IntegerRange> dims);

/// Checks that getRange has an answer for all results of `map`, so that code of
/// 64 bits computes what the map says.
llvm::Error checkComputable(mlir::AffineMap map,
                            llvm::ArrayRef<IntegerRange> dims);

/// Checks that no result of `map` divides by a constant below 1.
llvm::Error checkDivisors(mlir::AffineMap map);

/// The range [0, size - 1]; of a dynamic size, what fits an i32.
IntegerRange getIndexRange(int64_t size);
llvm::SmallVector<IntegerRange> getIndexRanges(llvm::ArrayRef<int64_t> sizes);

} // namespace grout

#endif // GROUT_ANALYSIS_AFFINERANGE_H
