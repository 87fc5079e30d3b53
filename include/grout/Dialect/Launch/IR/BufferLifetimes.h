//===- BufferLifetimes.h - When the buffers of a plan are used --*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_DIALECT_LAUNCH_IR_BUFFERLIFETIMES_H
#define GROUT_DIALECT_LAUNCH_IR_BUFFERLIFETIMES_H

#include "grout/Dialect/Launch/IR/LaunchOrder.h"

namespace grout::launch {

/// Which launches use each buffer and output of a plan. Constants and inputs
/// have no lifetimes, and neither have outputs in place of inputs, because they
/// hold data from the start.
class BufferLifetimes {
public:
  BufferLifetimes(PlanOp plan, const LaunchOrder &order);

  /// Returns the buffers and outputs that launches use, in the order of their
  /// first uses.
  llvm::ArrayRef<mlir::Value> getBuffers() const { return buffers; }

  /// Returns whether all launches that use `first` have ended when any launch
  /// writes `second`, so that `second` may have the same bytes. Both must be in
  /// getBuffers(). For an output as `first`, the answer is always false. The
  /// relation is transitive.
  bool endsBefore(mlir::Value first, mlir::Value second) const;

private:
  struct Lifetime {
    /// The numbers of the launches that use the buffer, in ascending order.
    llvm::SmallVector<unsigned, 4> uses;
    /// The launches that have ended whenever a launch writes the buffer, by
    /// their numbers. All launches below `endedPrefix` have.
    llvm::BitVector ended;
    unsigned endedPrefix = 0;
  };

  llvm::SmallVector<mlir::Value> buffers;
  llvm::DenseMap<mlir::Value, Lifetime> lifetimes;
};

} // namespace grout::launch

#endif // GROUT_DIALECT_LAUNCH_IR_BUFFERLIFETIMES_H
