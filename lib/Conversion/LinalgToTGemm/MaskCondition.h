//===- MaskCondition.h - Conditions of masks --------------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_CONVERSION_LINALGTOTGEMM_MASKCONDITION_H
#define GROUT_LIB_CONVERSION_LINALGTOTGEMM_MASKCONDITION_H

#include "ScalarExpr.h"

namespace grout {

/// A key is visible where `expr` is `value`.
struct MaskCondition {
  const ScalarExpr *expr;
  bool value;
};

/// Returns the conditions that must all hold for `condition` to hold, as few as
/// possible: leaves out those that always hold.
llvm::SmallVector<MaskCondition> getConjuncts(MaskCondition condition);

/// If `condition` is j <= i + c, with i the index of queries and j that of
/// keys, returns c.
std::optional<int64_t> matchCausal(MaskCondition condition,
                                   llvm::ArrayRef<unsigned> queries,
                                   llvm::ArrayRef<unsigned> keys,
                                   const IndexFactors &factors);

/// Whether `condition` compares indices, and holds for all of them.
bool isAlwaysTrue(MaskCondition condition, llvm::ArrayRef<unsigned> queries,
                  llvm::ArrayRef<unsigned> keys, const IndexFactors &factors);

} // namespace grout

#endif // GROUT_LIB_CONVERSION_LINALGTOTGEMM_MASKCONDITION_H
