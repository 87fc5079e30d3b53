//===- StripMine.h - Two loops of one ---------------------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_DIALECT_SCOP_TRANSFORMS_STRIPMINE_H
#define GROUT_LIB_DIALECT_SCOP_TRANSFORMS_STRIPMINE_H

#include "grout/Dialect/Scop/IR/Scop.h"

namespace grout::scop {

/// Makes two neighbouring iterators of `iterator`, the outer of which has the
/// extent `factor`, a divisor. Instances keep their order. Returns whether
/// there are two: if `factor` is its extent, it stays.
bool stripMine(StmtOp op, unsigned iterator, int64_t factor);

} // namespace grout::scop

#endif // GROUT_LIB_DIALECT_SCOP_TRANSFORMS_STRIPMINE_H
