//===- MaskCondition.h - Which keys a query may see -------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_CONVERSION_LINALGTOTGEMM_MASKCONDITION_H
#define GROUT_LIB_CONVERSION_LINALGTOTGEMM_MASKCONDITION_H

#include "ScalarExpr.h"

namespace grout {

/// A key may be seen where `expr` is `value`.
struct MaskCondition {
  const ScalarExpr *expr;
  bool value;
};

/// The conditions that all hold where `condition` does, as few as they may be:
/// those that always do are left out.
llvm::SmallVector<MaskCondition> getConjuncts(MaskCondition condition);

/// If `condition` is j <= i + c of the indices of queries, i, and keys, j: c.
std::optional<int64_t> matchCausal(MaskCondition condition,
                                   llvm::ArrayRef<unsigned> queries,
                                   llvm::ArrayRef<unsigned> keys,
                                   const IndexFactors &factors);

/// Whether `condition` compares indices, and holds for all of them.
bool isAlwaysTrue(MaskCondition condition, llvm::ArrayRef<unsigned> queries,
                  llvm::ArrayRef<unsigned> keys, const IndexFactors &factors);

} // namespace grout

#endif // GROUT_LIB_CONVERSION_LINALGTOTGEMM_MASKCONDITION_H
