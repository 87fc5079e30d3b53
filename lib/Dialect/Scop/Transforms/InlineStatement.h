//===- InlineStatement.h - A statement in its readers -----------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_DIALECT_SCOP_TRANSFORMS_INLINESTATEMENT_H
#define GROUT_LIB_DIALECT_SCOP_TRANSFORMS_INLINESTATEMENT_H

#include "grout/Dialect/Scop/IR/Scop.h"

namespace grout::scop {

/// Returns the iterators with which `producer` writes the element that is read
/// at `map`; none if they do not depend on the element alone.
std::optional<llvm::SmallVector<mlir::AffineExpr>>
getWritingIterators(StmtOp producer, mlir::AffineMap map);

/// Makes `reader` compute the values that it reads of the result of `producer`.
/// `producer` must be the only statement that writes its array, must not be a
/// reduction, and must have writing iterators for each of these reads.
void inlineStatement(StmtOp producer, StmtOp reader);

} // namespace grout::scop

#endif // GROUT_LIB_DIALECT_SCOP_TRANSFORMS_INLINESTATEMENT_H
