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

/// The one place that says what the edges of a plan mean: which launches have
/// surely ended when another one starts, and when it has waited. Takes time and
/// memory in the square of the number of launches, in bits.
class LaunchOrder {
public:
  explicit LaunchOrder(PlanOp plan);

  /// Whether `earlier` has ended, and what it wrote is visible, when any thread
  /// of `launch` starts.
  bool hasEndedAtStart(LaunchOpInterface earlier, LaunchOpInterface launch);
  /// The same when `launch` has waited for launches as its edges say. All that
  /// it does happens then, but for reads of inputs that it may read early, and
  /// of what its tiles wait for.
  bool hasEndedAtUse(LaunchOpInterface earlier, LaunchOpInterface launch);
  /// The same when `launch` ends: that is, whether there is any path.
  bool endsBefore(LaunchOpInterface earlier, LaunchOpInterface launch);

  /// The number of `launch` in the order of the block, and the launches, by
  /// number, that have ended at its use.
  unsigned getNumber(LaunchOpInterface launch) const {
    return numbers.lookup(launch);
  }
  const llvm::BitVector &getEndedAtUse(LaunchOpInterface launch) const {
    return ended[getNumber(launch)].atUse;
  }

  /// Checks that whatever reads or writes a buffer is ordered after what wrote
  /// it before, and that whatever writes one is ordered after what read it. A
  /// launch with an edge `tile` from the one that wrote a buffer reads it by
  /// tile. Fails with a diagnostic at the first launch that is not.
  mlir::LogicalResult verify();

private:
  /// The launches that have ended at some time of a launch, by their numbers.
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
