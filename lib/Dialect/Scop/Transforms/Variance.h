//===- Variance.h - Sums of squared differences -----------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_DIALECT_SCOP_TRANSFORMS_VARIANCE_H
#define GROUT_LIB_DIALECT_SCOP_TRANSFORMS_VARIANCE_H

#include "grout/Dialect/Scop/IR/Scop.h"

namespace grout::scop {

/// Two reductions of the same elements x of a row, and their mean: the first
/// adds x, and the second adds (x - mean) * (x - mean).
struct Variance {
  StmtOp sum, squares;
  /// The statements that compute the differences and their squares for
  /// `squares`; each is read by the statement before it.
  llvm::SmallVector<StmtOp> steps;
  /// The mean, and the index of the element that `squares` needs, as a function
  /// of its iterators.
  mlir::Value mean;
  mlir::AffineMap meanMap;
};

/// Returns how `squares` depends on the mean of the elements that `sum` adds;
/// none if it is not a sum of their squared differences from the mean.
std::optional<Variance> findVariance(StmtOp sum, StmtOp squares);

/// Makes `squares` compute the differences from the elements and from the mean,
/// and drops steps that nothing else reads. Returns the number of the read of
/// the mean.
unsigned inlineDifferences(const Variance &variance);

} // namespace grout::scop

#endif // GROUT_LIB_DIALECT_SCOP_TRANSFORMS_VARIANCE_H
