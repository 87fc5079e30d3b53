//===- WaitWatchdog.h - Waits that give up ----------------------*- C++ -*-===//
//
// Part of Grout. What a wait does between polls in a kernel that is compiled
// with a watchdog; see docs/HopperSynchronisation.md.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_CONVERSION_TSYNCTONVVM_WAITWATCHDOG_H
#define GROUT_LIB_CONVERSION_TSYNCTONVVM_WAITWATCHDOG_H

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace grout {

/// One wait for a semaphore. All values but the address are of type i32.
struct WatchedWait {
  /// The record of the launch, in global memory.
  mlir::Value record;
  mlir::Value semaphore, count, epoch, target;
  /// The words of the task that waits; may be empty.
  mlir::ValueRange task;
  unsigned milliseconds;
};

/// The time in nanoseconds.
mlir::Value emitTime(mlir::ImplicitLocOpBuilder &b);

/// Emits, after a poll that saw the counter `seen`, whether to poll again: as
/// long as `isShort`, unless the time since `start` is over or a wait of the
/// launch has given up before. The first to give up writes the record.
mlir::Value emitKeepsWaiting(mlir::ImplicitLocOpBuilder &b,
                             const WatchedWait &wait, mlir::Value start,
                             mlir::Value seen, mlir::Value isShort);

} // namespace grout

#endif // GROUT_LIB_CONVERSION_TSYNCTONVVM_WAITWATCHDOG_H
