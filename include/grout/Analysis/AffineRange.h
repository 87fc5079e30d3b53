//===- AffineRange.h - Ranges of affine expressions -------------*- C++ -*-===//
//
// Part of Grout. The proofs use integers of any size, but code that is made
// from the same maps has 64 bits. The functions in this file check that both
// compute the same. MLIR's getBoundForAffineExpr has no divisions, and its
// ValueBoundsConstraintSet bounds values, not expressions. Neither checks
// whether 64 bits hold intermediate results.
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

/// The largest magnitude of a value that generated code may compute from an
/// affine map. It is a quarter of the range of 64 bits: a division that rounds
/// down may add or negate once more, and a loop may step past its end.
inline constexpr int64_t kMaxAffineValue = int64_t(1) << 61;

/// Returns a range of the values that `expr` may take if dimension i is in
/// `dims[i]`. The range is exact for each single operation, so it contains all
/// values that occur. Fails (Invalid) if a part of `expr` may be beyond
/// kMaxAffineValue, if it divides by less than 1, or if it is not affine
/// without symbols.
llvm::Expected<IntegerRange> getRange(mlir::AffineExpr expr,
                                      llvm::ArrayRef<IntegerRange> dims);

/// Checks that getRange has an answer for all results of `map`, so that 64-bit
/// code computes the values of the map.
llvm::Error checkComputable(mlir::AffineMap map,
                            llvm::ArrayRef<IntegerRange> dims);

/// Checks that no result of `map` divides by a constant below 1.
llvm::Error checkDivisors(mlir::AffineMap map);

/// Returns the range [0, size - 1]. For a dynamic size, returns the indices
/// that fit an i32.
IntegerRange getIndexRange(int64_t size);
llvm::SmallVector<IntegerRange> getIndexRanges(llvm::ArrayRef<int64_t> sizes);

} // namespace grout

#endif // GROUT_ANALYSIS_AFFINERANGE_H
