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
  /// Whether exponentials are divided by their sum. If not, a later op may
  /// divide.
  bool isDivided = true;
  /// The result in rows without any finite score, if that is one known number.
  std::optional<double> withoutKeys;
};

/// Matches a softmax in any form, with any casts: linalg.softmax, or
/// exponentials divided by their sum. Any value of the row may be subtracted
/// from its scores. The result may be 0 in rows without any finite score.
std::optional<Softmax> matchSoftmax(const ScalarExpr *expr,
                                    llvm::ArrayRef<unsigned> keys);

/// Whether `expr` is `element`, possibly rounded, divided by the sum that
/// `softmax` lacks, or set to 0 in rows without any finite score. Updates
/// `softmax` accordingly.
bool matchResult(const ScalarExpr *expr, const ScalarExpr *element,
                 Softmax &softmax);

} // namespace grout

#endif // GROUT_LIB_CONVERSION_LINALGTOTGEMM_SOFTMAXEXPR_H
