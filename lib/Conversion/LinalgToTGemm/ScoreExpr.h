//===- ScoreExpr.h - Expressions that are scores of attention ---*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_CONVERSION_LINALGTOTGEMM_SCOREEXPR_H
#define GROUT_LIB_CONVERSION_LINALGTOTGEMM_SCOREEXPR_H

#include "MaskCondition.h"
#include <string>

namespace grout {

/// The term `factor * expr` of scores. `expr` does not contain the product.
struct ScoreTerm {
  const ScalarExpr *expr;
  double factor;
};

/// Replaces a score by `value` where one of the conditions does not hold. The
/// value is minus infinity, or a number so low that its exponential is 0.
struct ScoreMask {
  llvm::SmallVector<MaskCondition> conditions;
  double value;
  /// How many of the terms are added to the masked score: the first ones.
  size_t termsAround;
};

/// Adding something to a score as low as this does not change it in f32.
constexpr double kAbsorbing = -1e20;

/// Scores of the form scale * product + terms, with masks applied, and only for
/// keys j <= i + causal.
struct Scores {
  double scale = 1;
  /// The first term is added last.
  llvm::SmallVector<ScoreTerm> terms;
  /// The first mask is applied last.
  llvm::SmallVector<ScoreMask> masks;
  std::optional<int64_t> causal;

  /// Whether the product alone determines each row, and each row has a key.
  bool hasKeyInEachRow() const {
    return terms.empty() && masks.empty() && causal.value_or(0) >= 0;
  }
};

/// Matches `factor * expr` as scores of `product`. Fails with a reason.
mlir::FailureOr<Scores>
matchScores(const ScalarExpr *expr, double factor, const ScalarExpr *product,
            llvm::ArrayRef<unsigned> queries, llvm::ArrayRef<unsigned> keys,
            const IndexFactors &factors, std::string &reason);

} // namespace grout

#endif // GROUT_LIB_CONVERSION_LINALGTOTGEMM_SCOREEXPR_H
