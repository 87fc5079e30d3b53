//===- Accumulation.h - What is summed up in a linalg op --------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_CONVERSION_COMMON_ACCUMULATION_H
#define GROUT_CONVERSION_COMMON_ACCUMULATION_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace grout {

/// The part of a linalg op's body that accumulates over its reduction loops: a
/// sum, a product, or any other recurrence that rounds what it carries.
struct Accumulation {
  /// The results that are accumulated, by their numbers.
  llvm::SmallVector<unsigned> results;
  /// The ops from what is carried to what is yielded for it.
  llvm::SmallPtrSet<mlir::Operation *, 4> chain;
  /// The ops whose results only the chain uses, directly or through each other.
  llvm::SmallPtrSet<mlir::Operation *, 8> terms;
};

/// What `op` accumulates in types for which `isWanted`. Maxima and minima, and
/// whatever else never rounds, are left out, and so is what depends on the bits
/// of a number.
Accumulation
findAccumulation(mlir::linalg::LinalgOp op,
                 llvm::function_ref<bool(mlir::FloatType)> isWanted);

/// Whether `type` is f16 or bf16.
bool isHalf(mlir::Type type);

/// Whether `type` is f16, bf16 or f32: what kernels of products and attention
/// read and write beside their factors.
bool isHalfOrSingle(mlir::Type type);

/// Whether results of `op` are among its operands, up to their signs.
bool roundsNothing(mlir::Operation *op);

} // namespace grout

#endif // GROUT_CONVERSION_COMMON_ACCUMULATION_H
