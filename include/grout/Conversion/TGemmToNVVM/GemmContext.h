//===- GemmContext.h - A GEMM kernel while it is built ---------*- C++ -*-===//
//
// Part of Grout. The values that all parts of a GEMM kernel's code use.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_CONVERSION_TGEMMTONVVM_GEMMCONTEXT_H
#define GROUT_CONVERSION_TGEMMTONVVM_GEMMCONTEXT_H

#include "grout/Conversion/TGemmToNVVM/GemmPlan.h"
#include "grout/Conversion/TGemmToNVVM/KernelContext.h"

namespace grout::hopper {

/// The threads of the producer warpgroup that work on every task: the two
/// loaders and the storer.
inline constexpr int64_t kNumProducerReaders = 3;

/// A tile to compute, for a block or for a cluster of blocks: its body, and its
/// place in the grid. If rows are in groups, `x` is the tile's first row, and
/// `z` has the group in its lower half, and the number of rows in its upper
/// half.
struct TileTask {
  mlir::Value body, x, y, z;

  /// Returns the tile's coordinates in a grid of `rank` dimensions, as indices.
  llvm::SmallVector<mlir::Value> getTile(DeviceBuilder &b, unsigned rank) const;
  /// Returns the task's four words.
  llvm::SmallVector<mlir::Value, 4> getWords() const { return {body, x, y, z}; }
};

struct RingPosition;

struct GemmContext : KernelContext {
  const GemmPlan &kernel;
  /// The block's first task, as a vector of four words, if it needs no ticket;
  /// else null.
  mlir::Value firstTask;

  GemmContext(DeviceBuilder &b, const GemmPlan &kernel)
      : KernelContext(b, kernel), kernel(kernel) {}

  mlir::Value getTaskAddress() const {
    return b.add(shared, kernel.taskOffset);
  }
  /// Returns mbarrier `index` in shared memory.
  mlir::Value getBarrier(int64_t index) const {
    return b.add(shared, kernel.barrierOffset + index * kBarrierBytes);
  }
  /// Completes when the loads of a stage have arrived. Arrivals: the loaders.
  mlir::Value getFullBarrier(mlir::Value stage) const {
    return b.add(getBarrier(0), b.mul(stage, kBarrierBytes));
  }
  /// Completes when the consumers have read a stage. Arrivals: all consumer
  /// warps; with multicast, those of all blocks of the cluster.
  mlir::Value getEmptyBarrier(mlir::Value stage) const {
    return b.add(getBarrier(kernel.stages), b.mul(stage, kBarrierBytes));
  }
  /// Completes phase r when the scheduler has published the task of round r.
  /// Arrivals: the scheduler.
  mlir::Value getTaskFullBarrier() const {
    return getBarrier(2 * kernel.stages);
  }
  /// Completes phase n when all readers have read task n (0, 1, ...). In a
  /// cluster, this is the barrier of the first block. Task n is the task of
  /// round n, or of round n - 1 if the first task is not published. Arrivals:
  /// getNumTaskReaders() of each block.
  mlir::Value getTaskEmptyBarrier() const {
    return getBarrier(2 * kernel.stages + 1);
  }
  /// Completes when a warpgroup has filled a staging buffer. Arrivals: the
  /// warps of that warpgroup.
  mlir::Value getStagingFullBarrier(mlir::Value warpgroup,
                                    mlir::Value buffer) const {
    return b.add(getBarrier(2 * kernel.stages + 2),
                 b.mul(getStagingIndex(warpgroup, buffer), kBarrierBytes));
  }
  /// Completes when the storer has read a staging buffer. Arrivals: the storer.
  mlir::Value getStagingEmptyBarrier(mlir::Value warpgroup,
                                     mlir::Value buffer) const {
    return b.add(getBarrier(2 * kernel.stages + 2 +
                            kernel.warpgroups * kernel.stagingBuffers),
                 b.mul(getStagingIndex(warpgroup, buffer), kBarrierBytes));
  }
  /// Completes when the partial sums for `warpgroup` have arrived. Arrivals:
  /// one thread of the warpgroup, and the bytes.
  mlir::Value getExchangeFullBarrier(mlir::Value warpgroup) const {
    return b.add(getBarrier(getExchangeIndex()),
                 b.mul(warpgroup, kBarrierBytes));
  }
  /// Completes when the other blocks have read the sums that `warpgroup` sent
  /// them. Arrivals: the warps of these blocks.
  mlir::Value getExchangeEmptyBarrier(mlir::Value warpgroup) const {
    return b.add(getBarrier(getExchangeIndex() + kernel.warpgroups),
                 b.mul(warpgroup, kBarrierBytes));
  }
  /// Returns the address at which the partial sums for `warpgroup` arrive.
  mlir::Value getExchangeAddress(mlir::Value warpgroup) const {
    return b.add(b.add(shared, kernel.exchangeOffset),
                 b.mul(warpgroup, kernel.exchangeBytes));
  }
  /// Returns the address of a staging buffer of `warpgroup`, for a tile of
  /// `body` whose last step is in stage `lastStage`.
  mlir::Value getStagingAddress(const BodyPlan &body, mlir::Value lastStage,
                                mlir::Value warpgroup,
                                mlir::Value buffer) const;
  /// Returns the stage that is `count` (an i32) before `stage` in the ring.
  mlir::Value getStageBefore(mlir::Value stage, mlir::Value count) const;
  mlir::Value getStageAddress(mlir::Value stage) const {
    return b.add(shared, b.mul(stage, kernel.stageBytes));
  }
  bool hasCluster() const { return kernel.hasCluster(); }
  /// Returns how many threads of a block arrive when they have read a task. In
  /// a cluster, the scheduler reads tasks, too.
  int64_t getNumTaskReaders() const {
    return kNumProducerReaders + kernel.getConsumerWarps() +
           (hasCluster() ? 1 : 0);
  }

  /// Return which part of the rows, columns and K steps of a tile of `body`
  /// this block has, as numbers from 0.
  mlir::Value getRowShare(const BodyPlan &body) const;
  mlir::Value getColumnShare(const BodyPlan &body) const;
  mlir::Value getStepShare(const BodyPlan &body) const;

  /// Returns an i1: whether the tile `task` of `body` gets partial sums from
  /// other tasks.
  mlir::Value isInParts(const BodyPlan &body, const TileTask &task) const;
  /// Return the first K step of `task` in this block, and the number of its K
  /// steps.
  mlir::Value getFirstStep(const BodyPlan &body, const TileTask &task) const;
  mlir::Value getNumSteps(const BodyPlan &body, const TileTask &task) const;
  /// Returns the position in the ring of stages after all steps of `task` but
  /// the last `butLast`, if the first step is at `position`.
  RingPosition skipSteps(const BodyPlan &body, const TileTask &task,
                         const RingPosition &position,
                         int64_t butLast = 0) const;

  /// Return where the tile of `task` begins: its batch (if the grid has rank
  /// 3) or its group of rows, and the first row and column that this block
  /// multiplies. All are i32.
  mlir::Value getBatch(const BodyPlan &body, const TileTask &task) const;
  mlir::Value getFirstRow(const BodyPlan &body, const TileTask &task) const;
  mlir::Value getFirstColumn(const BodyPlan &body, const TileTask &task) const;
  /// Returns the row, an i32, behind the last one that the tile may write.
  mlir::Value getRowEnd(const BodyPlan &body, const TileTask &task) const;
  /// The first MMA row and MMA column that a block completes, i32.
  struct MmaPlace {
    mlir::Value row, column;
  };
  MmaPlace getResultPlace(const BodyPlan &body, const TileTask &task) const;

  /// Emits, for a whole warp, the arrival that frees `stage`: at the barriers
  /// of all blocks that may copy to this one.
  void emitStageRelease(mlir::Value stage) const;
  /// If results are staged in the ring, frees the stages that hold the staging
  /// buffers. `lastStage` is the stage of the tile's last step. One thread
  /// makes the arrivals of all warps that compute a tile of `body`.
  void emitStagedRelease(const BodyPlan &body, mlir::Value lastStage) const;

private:
  int64_t getExchangeIndex() const {
    return 2 * (kernel.stages + 1 + kernel.warpgroups * kernel.stagingBuffers);
  }
  mlir::Value getStagingIndex(mlir::Value warpgroup, mlir::Value buffer) const {
    return b.add(b.mul(warpgroup, kernel.stagingBuffers), buffer);
  }
};

/// A place in a ring of buffers: the buffer, and the parity of the round.
///
/// Each buffer has a full barrier, which completes phase r when the buffer is
/// filled in round r. It also has an empty barrier, which completes phase r
/// when that data has been read. So a reader waits for the parity of the round.
/// A writer needs the phase before, so it waits for the other parity, which
/// holds at once in round 0.
struct RingPosition {
  mlir::Value buffer, parity;

  static RingPosition first(DeviceBuilder &b) { return {b.i32(0), b.i32(0)}; }
  /// Returns the position `count` places after this one in a ring of `size`
  /// buffers.
  RingPosition advance(DeviceBuilder &b, int64_t size, int64_t count = 1) const;
  mlir::Value getReaderParity() const { return parity; }
  mlir::Value getWriterParity(DeviceBuilder &b) const {
    return b.bitXor(parity, 1);
  }
};

} // namespace grout::hopper

#endif // GROUT_CONVERSION_TGEMMTONVVM_GEMMCONTEXT_H
