//===- LaunchOrder.h - What the edges of a plan promise ---------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_DIALECT_LAUNCH_IR_LAUNCHORDER_H
#define GROUT_DIALECT_LAUNCH_IR_LAUNCHORDER_H

#include "grout/Dialect/Launch/IR/Launch.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"

namespace grout::launch {

/// Defines the meaning of the edges of a plan: which launches have surely ended
/// when another launch starts, when it has waited, and when it ends. No other
/// code does. Its time and its memory, in bits, are quadratic in the number of
/// launches.
class LaunchOrder {
public:
  explicit LaunchOrder(PlanOp plan);

  /// Returns whether `earlier` has ended, and its writes are visible, when any
  /// thread of `launch` starts.
  bool hasEndedAtStart(LaunchOpInterface earlier, LaunchOpInterface launch);
  /// Returns the same for the time when `launch` has waited for launches, as
  /// its edges say (its *use*). All accesses of `launch` come after this time,
  /// except early reads, and reads for which its tiles wait.
  bool hasEndedAtUse(LaunchOpInterface earlier, LaunchOpInterface launch);
  /// Returns the same for the end of `launch`: whether any path of edges leads
  /// from `earlier` to `launch`.
  bool endsBefore(LaunchOpInterface earlier, LaunchOpInterface launch);

  /// Returns the number of `launch`, in the order of the block. `getEndedAtUse`
  /// returns, by number, the launches that have ended at its use.
  unsigned getNumber(LaunchOpInterface launch) const {
    return numbers.lookup(launch);
  }
  const llvm::BitVector &getEndedAtUse(LaunchOpInterface launch) const {
    return ended[getNumber(launch)].atUse;
  }

  /// Checks that each read or write of a buffer is ordered after the earlier
  /// writes of it, and each write after the earlier reads. A read is also
  /// ordered if an edge `tile` leads from the writing launch, and the reading
  /// tiles wait for its tiles. Fails with a diagnostic at the first launch that
  /// is not ordered.
  mlir::LogicalResult verify();

private:
  /// The launches that have ended at three times of a launch, by their numbers.
  struct Ended {
    llvm::BitVector atStart, atUse, atEnd;
  };

  bool contains(llvm::BitVector Ended::*time, LaunchOpInterface earlier,
                LaunchOpInterface launch);
  mlir::LogicalResult verifyAccess(LaunchOpInterface earlier,
                                   LaunchOpInterface launch, mlir::Value buffer,
                                   bool isRead);

  PlanOp plan;
  llvm::DenseMap<mlir::Operation *, unsigned> numbers;
  llvm::SmallVector<Ended> ended;
};

} // namespace grout::launch

#endif // GROUT_DIALECT_LAUNCH_IR_LAUNCHORDER_H
