//===- TileScheduler.h - The tiles that a block works on --------*- C++ -*-===//
//
// Part of Grout. One thread claims tasks, by ticket or, if they are fixed, by
// number. It publishes them one at a time. The other roles go through all tasks
// of the block.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_HOPPER_GEMM_TILESCHEDULER_H
#define GROUT_LIB_HOPPER_GEMM_TILESCHEDULER_H

#include "grout/Hopper/Gemm/GemmContext.h"

namespace grout::hopper {

/// Emits, for all threads, the block's first task, which is computed or read
/// from the list. Returns null if the first task needs a ticket.
mlir::Value emitFirstTask(const GemmContext &context);

/// Emits the scheduler, for one thread. It claims and publishes tasks until
/// there are none. The last block to get there makes the launch's state ready
/// for the next run.
void emitTileScheduler(const GemmContext &context);

/// Builds the work on a task of a known body. `carried` are the values that a
/// thread carries from task to task; the function returns their new values.
using TaskBuilder = llvm::function_ref<llvm::SmallVector<mlir::Value>(
    const BodyPlan &body, const TaskValues &task, mlir::ValueRange carried)>;

/// The threads that go through the tasks together.
enum class TaskReader {
  /// All threads of a warp.
  wholeWarp,
  /// One thread.
  thread,
  /// One thread that loads. Unless tasks are fixed, the block's next task is
  /// claimed only after this thread has issued all loads of its task.
  loader,
};

/// Emits a loop over the block's tasks for `reader`. Returns the carried values
/// after the last task. In a kernel that is traced, one thread of each
/// warpgroup, or the one thread, records when it begins and ends each task, as
/// `role`.
llvm::SmallVector<mlir::Value> emitTaskLoop(const GemmContext &context,
                                            TaskReader reader,
                                            kernelabi::TraceRole role,
                                            mlir::ValueRange inits,
                                            TaskBuilder build);

/// Returns whether the block has more than `count` tasks. Tasks must be fixed.
mlir::Value emitHasMoreTasks(const GemmContext &context, mlir::Value count);

/// Emits a loop over the block's tasks, for whole warps, which asks nobody.
/// Tasks must be fixed. It is traced as `emitTaskLoop` is.
void emitFixedTaskLoop(
    const GemmContext &context, kernelabi::TraceRole role,
    llvm::function_ref<void(const BodyPlan &body, const TaskValues &task)>
        build);

} // namespace grout::hopper

#endif // GROUT_LIB_HOPPER_GEMM_TILESCHEDULER_H
