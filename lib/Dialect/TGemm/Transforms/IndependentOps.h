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

/// Ops of one block that need nothing of each other, so that they can stand
/// there one after another.
class IndependentOps {
public:
  explicit IndependentOps(mlir::Operation *first) { add(first); }

  /// Whether `op`, which is none of them yet, could follow them, if what it
  /// needs were moved before them: it needs none of them, nor they it, and what
  /// it needs has no side effects and need not stay where it is by `mustStay`.
  bool canAdd(mlir::Operation *op,
              llvm::function_ref<bool(mlir::Operation *)> mustStay) const;
  void add(mlir::Operation *op);

  /// Moves all of them, and what they need, to the first, where they stand in
  /// the order of `sorted`.
  void moveTogether(llvm::ArrayRef<mlir::Operation *> sorted) const;

private:
  llvm::SmallVector<mlir::Operation *> ops;
  /// What needs any of them, and what any of them needs of the ops from the
  /// first on.
  llvm::DenseSet<mlir::Operation *> dependents, needed;
};

} // namespace grout::tgemm

#endif // GROUT_DIALECT_TGEMM_TRANSFORMS_INDEPENDENTOPS_H
