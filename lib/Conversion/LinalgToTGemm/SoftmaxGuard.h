//===- SoftmaxGuard.h - Selections by the scores of a row -------*- C++ -*-===//
//
// Part of Grout. Where no score of a row is finite, a softmax divides 0 by 0,
// or subtracts infinities; so programs select something else for such rows.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_CONVERSION_LINALGTOTGEMM_SOFTMAXGUARD_H
#define GROUT_LIB_CONVERSION_LINALGTOTGEMM_SOFTMAXGUARD_H

#include "ScalarExpr.h"

namespace grout {

/// What a softmax is made of.
struct SoftmaxParts {
  const ScalarExpr *scores = nullptr;
  /// What is summed up, and what is subtracted from scores before; null for
  /// linalg.softmax, the latter also where nothing is.
  const ScalarExpr *exponential = nullptr, *origin = nullptr;
};

/// A selection, and the side that rows with a finite score must take.
struct SoftmaxGuard {
  const ScalarExpr *condition;
  bool taken;
};

using SoftmaxGuards = llvm::SmallVector<SoftmaxGuard, 2>;

/// If `expr` selects, by the row, between what `isSpecial` and something else,
/// notes that, and makes `expr` the latter.
bool takeGuard(const ScalarExpr *&expr, llvm::ArrayRef<unsigned> keys,
               llvm::function_ref<bool(const ScalarExpr *)> isSpecial,
               SoftmaxGuards &guards);

/// Whether `expr` is the sum of `exponential` over all keys.
bool isSumOf(const ScalarExpr *expr, const ScalarExpr *exponential);

/// Whether all rows with a finite score take the sides that they must.
bool holdGuards(llvm::ArrayRef<SoftmaxGuard> guards, const SoftmaxParts &parts);

} // namespace grout

#endif // GROUT_LIB_CONVERSION_LINALGTOTGEMM_SOFTMAXGUARD_H
