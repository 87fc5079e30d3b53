//===- WaitWatchdog.h - Waits that give up ----------------------*- C++ -*-===//
//
// Part of Grout. In a kernel that is compiled with a watchdog, a wait runs this
// code between polls; see docs/HopperSynchronisation.md.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_CONVERSION_TSYNCTONVVM_WAITWATCHDOG_H
#define GROUT_LIB_CONVERSION_TSYNCTONVVM_WAITWATCHDOG_H

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace grout {

/// A wait for a semaphore. All values but the address are of type i32.
struct WatchedWait {
  /// The record of the launch, in global memory.
  mlir::Value record;
  mlir::Value semaphore, count, epoch, target;
  /// The words of the task that waits; may be empty.
  mlir::ValueRange task;
  unsigned milliseconds;
};

/// Returns the time in nanoseconds.
mlir::Value emitTime(mlir::ImplicitLocOpBuilder &b);

/// Emits whether to poll again after a poll that read the value `seen` from the
/// counter. Polling goes on while `isShort` holds, unless the time since
/// `start` is over or another wait of the launch has given up before. The first
/// wait that gives up writes the record.
mlir::Value emitKeepsWaiting(mlir::ImplicitLocOpBuilder &b,
                             const WatchedWait &wait, mlir::Value start,
                             mlir::Value seen, mlir::Value isShort);

} // namespace grout

#endif // GROUT_LIB_CONVERSION_TSYNCTONVVM_WAITWATCHDOG_H
