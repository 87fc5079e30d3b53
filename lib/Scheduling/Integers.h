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

/// `value`, or a failure if it or its negation needs more than 64 bits.
inline int64_t narrow(Wide value) {
  if (value < -INT64_MAX || value > INT64_MAX)
    fail(AnalysisErrorKind::GaveUp,
         "gave up: a coefficient needs more than 64 bits");
  return static_cast<int64_t>(value);
}

/// The greatest common divisor of the first `count` elements, at least 0.
int64_t gcdOf(const LinearForm &form, size_t count);

/// The value of `form` at `values`.
int64_t evaluate(const LinearForm &form, llvm::ArrayRef<int64_t> values);

/// A basis of the rational row space of `rows`: reduced, each row without a
/// common factor and with a positive first element.
std::vector<LinearForm> rowBasis(std::vector<LinearForm> rows);

/// A basis of the vectors of `width` elements that all rows of `basis` (one
/// that rowBasis made) map to zero. Rows of one sign are positive.
std::vector<LinearForm> nullBasis(const std::vector<LinearForm> &basis,
                                  size_t width);

} // namespace grout::detail

#endif // GROUT_LIB_SCHEDULING_INTEGERS_H
