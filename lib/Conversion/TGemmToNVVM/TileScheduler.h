//===- TileScheduler.h - Which tiles a block works on -----------*- C++ -*-===//
//
// Part of Grout. One thread claims tasks, by ticket or, where they are fixed,
// by number, and publishes them, one at a time, to the others, each of which
// goes through all of the block's tasks.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_CONVERSION_TGEMMTONVVM_TILESCHEDULER_H
#define GROUT_LIB_CONVERSION_TGEMMTONVVM_TILESCHEDULER_H

#include "grout/Conversion/TGemmToNVVM/KernelContext.h"

namespace grout::hopper {

/// Emits, for all threads, the block's first task, computed or read, where that
/// needs no ticket; null where it does.
mlir::Value emitFirstTask(const KernelContext &context);

/// Emits the scheduler, for one thread: claims and publishes tasks until there
/// are none, then ends the launch if this block is the last to get there.
void emitTileScheduler(const KernelContext &context);

/// Builds the work on a task of a known body, from and to the values that a
/// thread carries from task to task.
using TaskBuilder = llvm::function_ref<llvm::SmallVector<mlir::Value>(
    const BodyPlan &body, const TileTask &task, mlir::ValueRange carried)>;

/// Who goes through the tasks.
enum class TaskReader {
  /// All threads of a warp, together.
  wholeWarp,
  /// One thread.
  thread,
  /// One thread that loads; the block's next task is claimed, unless it is
  /// fixed, when it has issued the loads of this one.
  loader,
};

/// Emits a loop over the block's tasks for `reader`. Returns the values carried
/// at the end.
llvm::SmallVector<mlir::Value> emitTaskLoop(const KernelContext &context,
                                            TaskReader reader,
                                            mlir::ValueRange inits,
                                            TaskBuilder build);

} // namespace grout::hopper

#endif // GROUT_LIB_CONVERSION_TGEMMTONVVM_TILESCHEDULER_H
