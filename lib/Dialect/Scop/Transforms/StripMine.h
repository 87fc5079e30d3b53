//===- StripMine.h - Strip-mining -------------------------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_DIALECT_SCOP_TRANSFORMS_STRIPMINE_H
#define GROUT_LIB_DIALECT_SCOP_TRANSFORMS_STRIPMINE_H

#include "grout/Dialect/Scop/IR/Scop.h"

namespace grout::scop {

/// Splits `iterator` into two neighbouring iterators. The outer one has the
/// extent `factor`, which must divide the extent of `iterator`. Instances keep
/// their order. Returns whether the iterator was split: it is not if `factor`
/// is its extent.
bool stripMine(StmtOp op, unsigned iterator, int64_t factor);

} // namespace grout::scop

#endif // GROUT_LIB_DIALECT_SCOP_TRANSFORMS_STRIPMINE_H
