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
  /// The result that is read, and the position of its write in
  /// `program.writes`.
  mlir::OpResult result;
  unsigned write;
};

/// A chain as plain data for the analysis library. Kernels have the same
/// positions as in the chain.
struct ChainProgram {
  llvm::SmallVector<TileKernelOpInterface> kernels;
  /// Kernels, tensors, accesses, waits for launches, and the order if the chain
  /// has one. Its edges are the dependences by tile that have a policy.
  TileProgram program;
  /// Reads of results within the chain, in order of consumer and operand.
  std::vector<ChainRead> reads;
  /// The dependence of each edge of `program`.
  llvm::SmallVector<DependenceOp> edges;

  /// Builds the program of `chain`. Fails with a diagnostic at the op if a
  /// kernel has no tile shape, gives an impossible answer (verifyTileAnswers),
  /// or reads another kernel's result through an op that is not a static view.
  static mlir::FailureOr<ChainProgram> get(ChainOp chain);
};

/// Returns `kernel` as plain data. `position` is its number among the kernels
/// that run together, and `grid` its tile grid.
TileKernel toTileKernel(TileKernelOpInterface kernel, unsigned position,
                        llvm::ArrayRef<int64_t> grid);

/// Convert a policy to plain data, and back. `firstStep` is lost: in the IR, a
/// wait is needed from step 0 on, so tiles may only wait earlier.
SemaphorePolicy toSemaphorePolicy(PolicyAttr policy);
PolicyAttr toPolicyAttr(const SemaphorePolicy &policy);

} // namespace grout::tsync

#endif // GROUT_DIALECT_TSYNC_TRANSFORMS_CHAINPROGRAM_H
