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

/// Of each op of a block, how many kernels must run before it, one after
/// another. Ops of one level do not need each other.
class KernelLevels {
public:
  explicit KernelLevels(mlir::Block &block);

  unsigned get(mlir::Operation *op) const { return levels.lookup(op); }

private:
  llvm::DenseMap<mlir::Operation *, unsigned> levels;
};

} // namespace grout::tgemm

#endif // GROUT_LIB_DIALECT_TGEMM_TRANSFORMS_KERNELLEVELS_H
