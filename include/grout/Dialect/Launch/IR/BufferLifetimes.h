//===- BufferLifetimes.h - When the buffers of a plan are used --*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_DIALECT_LAUNCH_IR_BUFFERLIFETIMES_H
#define GROUT_DIALECT_LAUNCH_IR_BUFFERLIFETIMES_H

#include "grout/Dialect/Launch/IR/LaunchOrder.h"

namespace grout::launch {

/// Which launches use the buffers of a plan, constants aside.
class BufferLifetimes {
public:
  BufferLifetimes(PlanOp plan, const LaunchOrder &order);

  /// The buffers that launches use, in the order of their first uses.
  llvm::ArrayRef<BufferOp> getBuffers() const { return buffers; }

  /// Whether all launches that use `first` have ended when any launch writes
  /// `second`, so that this may have the same bytes. Both are of getBuffers().
  /// If it holds for two buffers and for the second and a third, it holds for
  /// the first and the third.
  bool endsBefore(BufferOp first, BufferOp second) const;

private:
  struct Lifetime {
    /// The numbers of the launches that use it, in ascending order.
    llvm::SmallVector<unsigned, 4> uses;
    /// The launches that have ended when a launch writes it, by their numbers,
    /// and how many from the first on have.
    llvm::BitVector ended;
    unsigned endedPrefix = 0;
  };

  llvm::SmallVector<BufferOp> buffers;
  llvm::DenseMap<mlir::Operation *, Lifetime> lifetimes;
};

} // namespace grout::launch

#endif // GROUT_DIALECT_LAUNCH_IR_BUFFERLIFETIMES_H
