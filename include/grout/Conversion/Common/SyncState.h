//===- SyncState.h - A launch's synchronisation state -----------*- C++ -*-===//
//
// Part of Grout. The words of docs/KernelABI.md, and how blocks leave them.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_CONVERSION_COMMON_SYNCSTATE_H
#define GROUT_CONVERSION_COMMON_SYNCSTATE_H

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace grout {

/// Words of the synchronisation state of a launch on a GPU.
inline constexpr int32_t kTicketWord = 0;
inline constexpr int32_t kFinishedWord = 1;
inline constexpr int32_t kEpochWord = 2;
inline constexpr int32_t kWatchdogWord = 16;
inline constexpr int32_t kFirstSemaphoreWord = 32;
inline constexpr int32_t kWordsPerSemaphore = 8;

/// The address, in global memory, of word `word` of the state at `state`.
mlir::Value emitStateWord(mlir::ImplicitLocOpBuilder &b, mlir::Value state,
                          int32_t word);

/// Adds 1 to word `word` of the state, and returns the old value.
mlir::Value emitStateIncrement(mlir::ImplicitLocOpBuilder &b, mlir::Value state,
                               int32_t word);

/// Emits, for one thread of each block, that its block is finished: the last
/// one makes the state ready for the next run. Claims and reads of the epoch
/// have to be behind it.
void emitBlockFinished(mlir::ImplicitLocOpBuilder &b, mlir::Value state);

} // namespace grout

#endif // GROUT_CONVERSION_COMMON_SYNCSTATE_H
