//===- Integers.h - Exact arithmetic on rows of integers --------*- C++ -*-===//
//
// Part of Grout. For lib/Scheduling only.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_SCHEDULING_INTEGERS_H
#define GROUT_LIB_SCHEDULING_INTEGERS_H

#include "grout/Isl/IslGuard.h"
#include <vector>

namespace grout::detail {

/// A linear form: one factor for each variable, then a constant; or a row of a
/// matrix.
using LinearForm = std::vector<int64_t>;

__extension__ using Wide = __int128;

/// Returns `value`. Fails if it or its negation needs more than 64 bits.
inline int64_t narrow(Wide value) {
  if (value < -INT64_MAX || value > INT64_MAX)
    fail(AnalysisErrorKind::GaveUp,
         "gave up: a coefficient needs more than 64 bits");
  return static_cast<int64_t>(value);
}

/// Returns the greatest common divisor of the first `count` elements, at least
/// 0.
int64_t gcdOf(const LinearForm &form, size_t count);

/// Returns the value of `form` at `values`.
int64_t evaluate(const LinearForm &form, llvm::ArrayRef<int64_t> values);

/// Returns a reduced basis of the rational row space of `rows`. Each row has no
/// common factor, and its first element that is not zero is positive.
std::vector<LinearForm> rowBasis(std::vector<LinearForm> rows);

/// Returns a basis of the vectors of `width` elements that all rows of `basis`,
/// a result of rowBasis, map to zero. Rows whose elements all have one sign are
/// positive.
std::vector<LinearForm> nullBasis(const std::vector<LinearForm> &basis,
                                  size_t width);

} // namespace grout::detail

#endif // GROUT_LIB_SCHEDULING_INTEGERS_H
