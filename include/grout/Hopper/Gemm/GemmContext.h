//===- GemmContext.h - A GEMM kernel while it is built ---------*- C++ -*-===//
//
// Part of Grout. The values that all parts of a GEMM kernel's code use.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_HOPPER_GEMM_GEMMCONTEXT_H
#define GROUT_HOPPER_GEMM_GEMMCONTEXT_H

#include "grout/Hopper/Gemm/GemmPlan.h"
#include "grout/Hopper/Kit/KernelContext.h"

namespace grout::hopper {

/// A tile to compute, for a block or for a cluster of blocks: its body, and its
/// place in the grid. If rows are in groups, `x` is the tile's first row, and
/// `z` has the group in its lower half, and the number of rows in its upper
/// half.
struct TaskValues {
  mlir::Value body, x, y, z;

  /// Returns the tile's coordinates in a grid of `rank` dimensions, as indices.
  llvm::SmallVector<mlir::Value> getTile(DeviceBuilder &b, unsigned rank) const;
  /// Returns the task's four words.
  llvm::SmallVector<mlir::Value, 4> getWords() const { return {body, x, y, z}; }
};

struct GemmContext : KernelContext {
  const GemmPlan &kernel;
  /// The block's first task, as a vector of four words, if it needs no ticket;
  /// else null.
  mlir::Value firstTask;

  GemmContext(DeviceBuilder &b, const GemmPlan &kernel)
      : KernelContext(b, kernel), kernel(kernel) {}

  /// Returns the address of a staging buffer of `warpgroup`, for a tile of
  /// `body` whose last step is in stage `lastStage`.
  mlir::Value getStagingAddress(const BodyPlan &body, mlir::Value lastStage,
                                mlir::Value warpgroup,
                                mlir::Value buffer) const;
  /// Returns the stage that is `count` (an i32) before `stage` in the ring.
  mlir::Value getStageBefore(mlir::Value stage, mlir::Value count) const;
  bool hasCluster() const { return kernel.hasCluster(); }

  /// Return which part of the rows, columns and K steps of a tile of `body`
  /// this block has, as numbers from 0.
  mlir::Value getRowShare(const BodyPlan &body) const;
  mlir::Value getColumnShare(const BodyPlan &body) const;
  mlir::Value getStepShare(const BodyPlan &body) const;

  /// Returns an i1: whether the tile `task` of `body` gets partial sums from
  /// other tasks.
  mlir::Value isInParts(const BodyPlan &body, const TaskValues &task) const;
  /// Return the first K step of `task` in this block, and the number of its K
  /// steps.
  mlir::Value getFirstStep(const BodyPlan &body, const TaskValues &task) const;
  mlir::Value getNumSteps(const BodyPlan &body, const TaskValues &task) const;
  /// Returns the position in the ring of stages after all steps of `task` but
  /// the last `butLast`, if the first step is at `position`.
  RingPosition skipSteps(const BodyPlan &body, const TaskValues &task,
                         const RingPosition &position,
                         int64_t butLast = 0) const;

  /// Return where the tile of `task` begins: its batch (if the grid has rank
  /// 3) or its group of rows, and the first row and column that this block
  /// multiplies. All are i32.
  mlir::Value getBatch(const BodyPlan &body, const TaskValues &task) const;
  mlir::Value getFirstRow(const BodyPlan &body, const TaskValues &task) const;
  mlir::Value getFirstColumn(const BodyPlan &body,
                             const TaskValues &task) const;
  /// Returns the row, an i32, behind the last one that the tile may write.
  mlir::Value getRowEnd(const BodyPlan &body, const TaskValues &task) const;
  /// The first MMA row and MMA column that a block completes, i32.
  struct MmaPlace {
    mlir::Value row, column;
  };
  MmaPlace getResultPlace(const BodyPlan &body, const TaskValues &task) const;

  /// Emits, for a whole warp, the arrival that frees `stage`: at the barriers
  /// of all blocks that may copy to this one.
  void emitStageRelease(mlir::Value stage) const;
  /// If results are staged in the ring, frees the stages that hold the staging
  /// buffers. `lastStage` is the stage of the tile's last step. One thread
  /// makes the arrivals of all warps that compute a tile of `body`.
  void emitStagedRelease(const BodyPlan &body, mlir::Value lastStage) const;
};

} // namespace grout::hopper

#endif // GROUT_HOPPER_GEMM_GEMMCONTEXT_H
