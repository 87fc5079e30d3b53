//===- Accumulation.h - Accumulations of a linalg op ------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_CONVERSION_COMMON_ACCUMULATION_H
#define GROUT_CONVERSION_COMMON_ACCUMULATION_H

#include "grout/Support/ElementTypes.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace grout {

/// The part of a linalg op's body that accumulates over its reduction loops: a
/// sum, a product, or any other recurrence that rounds the value that it
/// carries.
struct Accumulation {
  /// The numbers of the results that are accumulated.
  llvm::SmallVector<unsigned> results;
  /// For each of these results, the ops on the way from the carried value to
  /// the yielded value.
  llvm::SmallPtrSet<mlir::Operation *, 4> chain;
  /// The ops whose results only `chain` uses, directly or through other such
  /// ops.
  llvm::SmallPtrSet<mlir::Operation *, 8> terms;
};

/// Returns the accumulations of `op` whose carried values have a type for which
/// `isWanted` holds. Leaves out maxima, minima, and all others that never
/// round. Also leaves out accumulations that depend on the bits of a number.
Accumulation
findAccumulation(mlir::linalg::LinalgOp op,
                 llvm::function_ref<bool(mlir::FloatType)> isWanted);

/// Whether each result of `op` is the value of one of its operands, up to the
/// sign.
bool roundsNothing(mlir::Operation *op);

} // namespace grout

#endif // GROUT_CONVERSION_COMMON_ACCUMULATION_H
