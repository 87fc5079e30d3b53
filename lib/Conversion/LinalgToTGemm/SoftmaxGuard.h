//===- SoftmaxGuard.h - Selections by the scores of a row -------*- C++ -*-===//
//
// Part of Grout. If no score of a row is finite, a softmax divides 0 by 0, or
// subtracts infinities. So programs select another value for such rows.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_CONVERSION_LINALGTOTGEMM_SOFTMAXGUARD_H
#define GROUT_LIB_CONVERSION_LINALGTOTGEMM_SOFTMAXGUARD_H

#include "ScalarExpr.h"

namespace grout {

/// The parts of a softmax.
struct SoftmaxParts {
  const ScalarExpr *scores = nullptr;
  /// The values that are summed up, and the value that is subtracted from
  /// scores before. Both are null for linalg.softmax. `origin` is also null if
  /// nothing is subtracted.
  const ScalarExpr *exponential = nullptr, *origin = nullptr;
};

/// The condition of a selection, and the side that rows with a finite score
/// must take.
struct SoftmaxGuard {
  const ScalarExpr *condition;
  bool taken;
};

using SoftmaxGuards = llvm::SmallVector<SoftmaxGuard, 2>;

/// If `expr` selects, by the row, between a value for which `isSpecial` holds
/// and another one, adds the guard, and sets `expr` to the other one. Returns
/// whether it does.
bool takeGuard(const ScalarExpr *&expr, llvm::ArrayRef<unsigned> keys,
               llvm::function_ref<bool(const ScalarExpr *)> isSpecial,
               SoftmaxGuards &guards);

/// Whether `expr` is the sum of `exponential` over all keys.
bool isSumOf(const ScalarExpr *expr, const ScalarExpr *exponential);

/// Whether all rows with a finite score take the sides that guards require.
bool holdGuards(llvm::ArrayRef<SoftmaxGuard> guards, const SoftmaxParts &parts);

} // namespace grout

#endif // GROUT_LIB_CONVERSION_LINALGTOTGEMM_SOFTMAXGUARD_H
