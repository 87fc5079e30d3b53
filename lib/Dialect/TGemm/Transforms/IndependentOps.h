//===- IndependentOps.h - Ops that can stand side by side -------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_DIALECT_TGEMM_TRANSFORMS_INDEPENDENTOPS_H
#define GROUT_DIALECT_TGEMM_TRANSFORMS_INDEPENDENTOPS_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace grout::tgemm {

/// Ops of one block that do not depend on each other, so that they can be moved
/// next to each other.
class IndependentOps {
public:
  explicit IndependentOps(mlir::Operation *first) { add(first); }

  /// Whether `op` could be added, and placed behind these ops, if the ops that
  /// it depends on were moved before them. `op` must not be one of these ops,
  /// none may depend on the other, and the ops that `op` depends on must have
  /// no side effects, and `mustStay` must be false for them.
  bool canAdd(mlir::Operation *op,
              llvm::function_ref<bool(mlir::Operation *)> mustStay) const;
  void add(mlir::Operation *op);

  /// Moves all ops, and the ops that they depend on, to the first op. They
  /// stand there in the order of `sorted`.
  void moveTogether(llvm::ArrayRef<mlir::Operation *> sorted) const;

private:
  llvm::SmallVector<mlir::Operation *> ops;
  /// The ops that depend on one of `ops`; and the ops, from the first of `ops`
  /// on, that one of `ops` depends on.
  llvm::DenseSet<mlir::Operation *> dependents, needed;
};

} // namespace grout::tgemm

#endif // GROUT_DIALECT_TGEMM_TRANSFORMS_INDEPENDENTOPS_H
