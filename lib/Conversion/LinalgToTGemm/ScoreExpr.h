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

/// `factor * expr`, of which the product is no part.
struct ScoreTerm {
  const ScalarExpr *expr;
  double factor;
};

/// What a score has where one of the conditions does not hold: `value`, which
/// is minus infinity, or a number so low that its exponential is 0.
struct ScoreMask {
  llvm::SmallVector<MaskCondition> conditions;
  double value;
  /// How many of the terms, the first ones, are added to what is masked.
  size_t termsAround;
};

/// A score as low as that is not changed, in f32, by what is added to it.
constexpr double kAbsorbing = -1e20;

/// scale * product + terms, with the masks in place of that, and only keys
/// j <= i + causal.
struct Scores {
  double scale = 1;
  /// The first one is added last.
  llvm::SmallVector<ScoreTerm> terms;
  /// The first one is applied last.
  llvm::SmallVector<ScoreMask> masks;
  std::optional<int64_t> causal;

  /// Whether the product alone decides about a row, and it has a key.
  bool hasKeyInEachRow() const {
    return terms.empty() && masks.empty() && causal.value_or(0) >= 0;
  }
};

/// Takes `factor * expr` apart into scores of `product`. Fails with a reason.
mlir::FailureOr<Scores>
matchScores(const ScalarExpr *expr, double factor, const ScalarExpr *product,
            llvm::ArrayRef<unsigned> queries, llvm::ArrayRef<unsigned> keys,
            const IndexFactors &factors, std::string &reason);

} // namespace grout

#endif // GROUT_LIB_CONVERSION_LINALGTOTGEMM_SCOREEXPR_H
