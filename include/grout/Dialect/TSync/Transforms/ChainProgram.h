//===- ChainProgram.h - A chain as a tile program ---------------*- C++ -*-===//
//
// Part of Grout. The bridge from IR to the analysis library.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_DIALECT_TSYNC_TRANSFORMS_CHAINPROGRAM_H
#define GROUT_DIALECT_TSYNC_TRANSFORMS_CHAINPROGRAM_H

#include "grout/Analysis/TileProgram.h"
#include "grout/Dialect/TSync/IR/TSync.h"

namespace grout::tsync {

/// A read of one kernel's result by another kernel of the chain.
struct ChainRead {
  /// Positions in ChainProgram::kernels.
  unsigned producer;
  unsigned consumer;
  mlir::OpOperand *operand;
  ElementAccess access;
  /// The result that it reads, and the position of its write in
  /// `program.writes`.
  mlir::OpResult result;
  unsigned write;
};

/// A chain as the analysis library sees it. Kernels have the positions that
/// they have in the chain.
struct ChainProgram {
  llvm::SmallVector<TileKernelOpInterface> kernels;
  /// Kernels, tensors, accesses, waits for launches, and the order if the chain
  /// has one. Edges are those dependences by tile that have a policy.
  TileProgram program;
  /// Reads of results within the chain, in order of consumer and operand.
  std::vector<ChainRead> reads;
  /// The dependence behind each edge of `program`.
  llvm::SmallVector<DependenceOp> edges;

  /// Builds the program of `chain`. Fails with a diagnostic at the op if a
  /// kernel has no tile shape, answers what cannot be (verifyTileAnswers), or
  /// reads another through an op that is not a static view.
  static mlir::FailureOr<ChainProgram> get(ChainOp chain);
};

/// `kernel`, which has number `position` among those that run together, and the
/// tile grid `grid`, as plain data.
TileKernel toTileKernel(TileKernelOpInterface kernel, unsigned position,
                        llvm::ArrayRef<int64_t> grid);

/// The policy as plain data, and back. `firstStep` is not kept: a wait in the
/// IR holds from step 0, which only waits earlier.
SemaphorePolicy toSemaphorePolicy(PolicyAttr policy);
PolicyAttr toPolicyAttr(const SemaphorePolicy &policy);

} // namespace grout::tsync

#endif // GROUT_DIALECT_TSYNC_TRANSFORMS_CHAINPROGRAM_H
