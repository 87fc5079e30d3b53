//===- KernelTiles.h - The tiles of a scop.kernel ---------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_DIALECT_SCOP_IR_KERNELTILES_H
#define GROUT_DIALECT_SCOP_IR_KERNELTILES_H

#include "grout/Dialect/Scop/IR/Scop.h"
#include "llvm/ADT/DenseMap.h"

namespace grout::scop {

/// The outer loops of a schedule: its leading linear dimensions that are
/// coincident, except dimensions in which no statement has more than one
/// iteration. Their iterations are independent.
struct OuterLoops {
  /// Iterations of each loop, outermost first.
  llvm::SmallVector<int64_t> extents;
  /// The dimension of the schedule of each loop.
  llvm::SmallVector<unsigned> dims;
  /// For each iterator of a statement, its outer loop, if it has one.
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<std::optional<unsigned>>>
      iterators;
};

/// Returns the outer loops of `kernel`. Fails if it has no schedule, if a
/// statement's row in one of the loops is neither an iterator nor 0, or if
/// statements have different numbers of iterations in a loop.
mlir::FailureOr<OuterLoops> getOuterLoops(KernelOp kernel);

/// Returns why `kernel` cannot have tiles of `sizes`, in the words of an op
/// error, or an empty string. See scop.kernel.
std::string findTilesProblem(KernelOp kernel, llvm::ArrayRef<int64_t> sizes);

} // namespace grout::scop

#endif // GROUT_DIALECT_SCOP_IR_KERNELTILES_H
