//===- KernelLevels.h - How many kernels come before an op ------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_DIALECT_TGEMM_TRANSFORMS_KERNELLEVELS_H
#define GROUT_LIB_DIALECT_TGEMM_TRANSFORMS_KERNELLEVELS_H

#include "mlir/IR/Block.h"
#include "llvm/ADT/DenseMap.h"

namespace grout::tgemm {

/// The levels of the ops of a block. The level of an op is the number of
/// kernels that must run before it, one after another. Ops of the same level do
/// not depend on each other.
class KernelLevels {
public:
  explicit KernelLevels(mlir::Block &block);

  unsigned get(mlir::Operation *op) const { return levels.lookup(op); }

private:
  llvm::DenseMap<mlir::Operation *, unsigned> levels;
};

} // namespace grout::tgemm

#endif // GROUT_LIB_DIALECT_TGEMM_TRANSFORMS_KERNELLEVELS_H
