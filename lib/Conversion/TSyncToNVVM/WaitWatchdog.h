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

/// A wait, for a semaphore or another rank.
struct WatchedWait {
  /// A word of the record: its offset in bytes, and its value, an i32.
  using Field = std::pair<size_t, mlir::Value>;

  /// The record of the launch, in global memory.
  mlir::Value record;
  /// What the record gets besides the block.
  llvm::SmallVector<Field> fields;
  unsigned milliseconds;
};

/// Returns the time in nanoseconds.
mlir::Value emitTime(mlir::ImplicitLocOpBuilder &b);

/// Emits whether to poll again. Polling goes on while `isMissing` holds, unless
/// the time since `start` is over or another wait of the launch has given up
/// before. The first wait that gives up writes the record.
mlir::Value emitKeepsWaiting(mlir::ImplicitLocOpBuilder &b,
                             const WatchedWait &wait, mlir::Value start,
                             mlir::Value isMissing);

} // namespace grout

#endif // GROUT_LIB_CONVERSION_TSYNCTONVVM_WAITWATCHDOG_H
