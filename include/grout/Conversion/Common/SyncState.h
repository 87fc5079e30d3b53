//===- SyncState.h - A launch's synchronisation state -----------*- C++ -*-===//
//
// Part of Grout. How kernels use the words of docs/KernelABI.md.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_CONVERSION_COMMON_SYNCSTATE_H
#define GROUT_CONVERSION_COMMON_SYNCSTATE_H

#include "grout/Runtime/DeviceABI.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace grout {

/// The state that `states` are, as !tsync.semaphores: a launch's own, and, if
/// its semaphores are in that of another launch, those.
mlir::Value emitSemaphores(mlir::ImplicitLocOpBuilder &b,
                           mlir::ValueRange states);

/// The address, in global memory, of word `word` of the state at `state`.
mlir::Value emitStateWord(mlir::ImplicitLocOpBuilder &b, mlir::Value state,
                          uint32_t word);

/// Adds 1 to word `word` of the state, and returns the old value.
mlir::Value emitStateIncrement(mlir::ImplicitLocOpBuilder &b, mlir::Value state,
                               uint32_t word);

/// Emits, for one thread of each block, that its block is finished: the last
/// one makes the state ready for the next run. Claims and reads of the epoch
/// have to be behind it.
void emitBlockFinished(mlir::ImplicitLocOpBuilder &b, mlir::Value state);

} // namespace grout

#endif // GROUT_CONVERSION_COMMON_SYNCSTATE_H
