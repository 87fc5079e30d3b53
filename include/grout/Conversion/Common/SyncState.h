//===- SyncState.h - A launch's synchronisation state -----------*- C++ -*-===//
//
// Part of Grout. How kernels use the words of the state; see docs/KernelABI.md.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_CONVERSION_COMMON_SYNCSTATE_H
#define GROUT_CONVERSION_COMMON_SYNCSTATE_H

#include "grout/Runtime/DeviceABI.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace grout {

/// Returns `states` as a !tsync.semaphores. `states` has the launch's own
/// state. If another launch's state has the semaphores, that state is second.
mlir::Value emitSemaphores(mlir::ImplicitLocOpBuilder &b,
                           mlir::ValueRange states);

/// Returns the address, in global memory, of word `word` of `state`.
mlir::Value emitStateWord(mlir::ImplicitLocOpBuilder &b, mlir::Value state,
                          uint32_t word);

/// Adds 1 to word `word` of the state, and returns the old value.
mlir::Value emitStateIncrement(mlir::ImplicitLocOpBuilder &b, mlir::Value state,
                               uint32_t word);

/// Emits, for one thread of each block, that its block has finished. The last
/// block to finish makes the state ready for the next run. All claims of tasks
/// and reads of the epoch must come before.
void emitBlockFinished(mlir::ImplicitLocOpBuilder &b, mlir::Value state);

} // namespace grout

#endif // GROUT_CONVERSION_COMMON_SYNCSTATE_H
