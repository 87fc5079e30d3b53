//===- SoftmaxExpr.h - Expressions that are a softmax -----------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_CONVERSION_LINALGTOTGEMM_SOFTMAXEXPR_H
#define GROUT_LIB_CONVERSION_LINALGTOTGEMM_SOFTMAXEXPR_H

#include "SoftmaxGuard.h"

namespace grout {

/// softmax(`factor` * `scores`) over the keys.
struct Softmax : SoftmaxParts {
  double factor = 1;
  /// Whether exponentials are divided by their sum, and not something later.
  bool isDivided = true;
  /// What rows without any finite score have, if that is one known number.
  std::optional<double> withoutKeys;
};

/// Matches a softmax of any spelling, with casts anywhere: linalg.softmax, or
/// exponentials over their sum, relative to whatever value a row has in common.
/// Rows without any finite score may be 0.
std::optional<Softmax> matchSoftmax(const ScalarExpr *expr,
                                    llvm::ArrayRef<unsigned> keys);

/// Whether `expr` is `element`, at most rounded, or divided by the sum that
/// `softmax` lacks, or 0 in rows without any finite score. Notes in `softmax`
/// what it is.
bool matchResult(const ScalarExpr *expr, const ScalarExpr *element,
                 Softmax &softmax);

} // namespace grout

#endif // GROUT_LIB_CONVERSION_LINALGTOTGEMM_SOFTMAXEXPR_H
