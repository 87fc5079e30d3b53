//===- BufferLifetimes.h - When the buffers of a plan are used --*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_DIALECT_LAUNCH_IR_BUFFERLIFETIMES_H
#define GROUT_DIALECT_LAUNCH_IR_BUFFERLIFETIMES_H

#include "grout/Dialect/Launch/IR/LaunchOrder.h"

namespace grout::launch {

/// Which launches use the buffers of a plan and its outputs. Constants and
/// inputs have no lifetimes, nor have outputs in place of inputs: what they
/// hold is there from the start.
class BufferLifetimes {
public:
  BufferLifetimes(PlanOp plan, const LaunchOrder &order);

  /// The buffers and outputs that launches use, in the order of their first
  /// uses.
  llvm::ArrayRef<mlir::Value> getBuffers() const { return buffers; }

  /// Whether all launches that use `first` have ended when any launch writes
  /// `second`, so that this may have the same bytes. Both are of getBuffers().
  /// An output ends before nothing. If it holds for two buffers and for the
  /// second and a third, it holds for the first and the third.
  bool endsBefore(mlir::Value first, mlir::Value second) const;

private:
  struct Lifetime {
    /// The numbers of the launches that use it, in ascending order.
    llvm::SmallVector<unsigned, 4> uses;
    /// The launches that have ended when a launch writes it, by their numbers,
    /// and how many from the first on have.
    llvm::BitVector ended;
    unsigned endedPrefix = 0;
  };

  llvm::SmallVector<mlir::Value> buffers;
  llvm::DenseMap<mlir::Value, Lifetime> lifetimes;
};

} // namespace grout::launch

#endif // GROUT_DIALECT_LAUNCH_IR_BUFFERLIFETIMES_H
