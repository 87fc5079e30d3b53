//===- KernelContext.h - A kernel while it is built -------------*- C++ -*-===//
//
// Part of Grout. What the parts of a kernel's code share.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_CONVERSION_TGEMMTONVVM_KERNELCONTEXT_H
#define GROUT_CONVERSION_TGEMMTONVVM_KERNELCONTEXT_H

#include "grout/Conversion/TGemmToNVVM/DeviceBuilder.h"
#include "grout/Conversion/TGemmToNVVM/KernelPlan.h"

namespace grout::hopper {

/// Single threads that work on every task: two loaders and the storer.
inline constexpr int64_t kNumProducerReaders = 3;

/// A tile that a block, or a cluster of them, works on.
struct TileTask {
  mlir::Value body, x, y, z;

  /// The tile coordinates of a grid of `rank` dimensions, as indices.
  llvm::SmallVector<mlir::Value> getTile(DeviceBuilder &b, unsigned rank) const;
  /// The task's words.
  llvm::SmallVector<mlir::Value, 4> getWords() const { return {body, x, y, z}; }
};

struct RingPosition;

struct KernelContext {
  DeviceBuilder &b;
  const KernelPlan &kernel;
  mlir::ValueRange params;
  /// Address of the dynamic shared memory.
  mlir::Value shared;
  /// Thread in its warp, and, equal in all of a warp, warp in the block.
  mlir::Value lane, warp;
  /// The block's number in its cluster, equal in all of a warp.
  mlir::Value blockRank;
  /// The block's first task as four words, where that needs no ticket.
  mlir::Value firstTask;
  /// The synchronisation state as !tsync.semaphores.
  mlir::Value semaphores;

  mlir::Value getParam(unsigned index) const { return params[index]; }
  mlir::Value getTaskAddress() const {
    return b.add(shared, kernel.taskOffset);
  }
  /// Barrier `index` of those in shared memory.
  mlir::Value getBarrier(int64_t index) const {
    return b.add(shared, kernel.barrierOffset + index * kBarrierBytes);
  }
  /// Completes when the copies of a stage have arrived. Arrivals: the loaders.
  mlir::Value getFullBarrier(mlir::Value stage) const {
    return b.add(getBarrier(0), b.mul(stage, kBarrierBytes));
  }
  /// Completes when a stage has been read. Arrivals: the consumers' warps, of
  /// all blocks of the cluster if blocks copy to each other.
  mlir::Value getEmptyBarrier(mlir::Value stage) const {
    return b.add(getBarrier(kernel.stages), b.mul(stage, kBarrierBytes));
  }
  /// Completes phase r when the task of round r has been published. Arrivals:
  /// the scheduler.
  mlir::Value getTaskFullBarrier() const {
    return getBarrier(2 * kernel.stages);
  }
  /// Completes phase n when task n (0, 1, ...) has been read; that of the
  /// cluster's first block counts. Task n is that of round n, or of round n - 1
  /// where the first is not published. Arrivals: getNumTaskReaders() of each
  /// block.
  mlir::Value getTaskEmptyBarrier() const {
    return getBarrier(2 * kernel.stages + 1);
  }
  /// Completes when a warpgroup has filled a staging buffer. Arrivals: its
  /// warps.
  mlir::Value getStagingFullBarrier(mlir::Value warpgroup,
                                    mlir::Value buffer) const {
    return b.add(getBarrier(2 * kernel.stages + 2),
                 b.mul(getStagingIndex(warpgroup, buffer), kBarrierBytes));
  }
  /// Completes when a staging buffer has been read. Arrivals: the storer.
  mlir::Value getStagingEmptyBarrier(mlir::Value warpgroup,
                                     mlir::Value buffer) const {
    return b.add(getBarrier(2 * kernel.stages + 2 +
                            kernel.warpgroups * kernel.stagingBuffers),
                 b.mul(getStagingIndex(warpgroup, buffer), kBarrierBytes));
  }
  /// Completes when the partial sums for `warpgroup` have arrived. Arrivals:
  /// one of its threads, and the bytes.
  mlir::Value getExchangeFullBarrier(mlir::Value warpgroup) const {
    return b.add(getBarrier(getExchangeIndex()),
                 b.mul(warpgroup, kBarrierBytes));
  }
  /// Completes when the other blocks have read what `warpgroup` sent them.
  /// Arrivals: their warps.
  mlir::Value getExchangeEmptyBarrier(mlir::Value warpgroup) const {
    return b.add(getBarrier(getExchangeIndex() + kernel.warpgroups),
                 b.mul(warpgroup, kBarrierBytes));
  }
  /// Where the partial sums for `warpgroup` arrive.
  mlir::Value getExchangeAddress(mlir::Value warpgroup) const {
    return b.add(b.add(shared, kernel.exchangeOffset),
                 b.mul(warpgroup, kernel.exchangeBytes));
  }
  /// Where `warpgroup` stages parts of a tile of `body` whose last stage is
  /// `lastStage`.
  mlir::Value getStagingAddress(const BodyPlan &body, mlir::Value lastStage,
                                mlir::Value warpgroup,
                                mlir::Value buffer) const;
  /// The stage `count` (an i32) before `stage` in the ring.
  mlir::Value getStageBefore(mlir::Value stage, mlir::Value count) const;
  mlir::Value getStageAddress(mlir::Value stage) const {
    return b.add(shared, b.mul(stage, kernel.stageBytes));
  }
  int64_t getNumConsumerWarps() const {
    return kernel.warpgroups * kWarpsPerWarpgroup;
  }
  bool hasCluster() const { return kernel.clusterSize != 1; }
  /// Arrivals of one block when it has read a task. In a cluster, its scheduler
  /// reads, too.
  int64_t getNumTaskReaders() const {
    return kNumProducerReaders + getNumConsumerWarps() + (hasCluster() ? 1 : 0);
  }

  /// The block's share of the rows, columns and steps of a tile of `body`, as
  /// numbers from 0.
  mlir::Value getRowShare(const BodyPlan &body) const;
  mlir::Value getColumnShare(const BodyPlan &body) const;
  mlir::Value getStepShare(const BodyPlan &body) const;

  /// Whether `task`, a tile of `body`, is completed from partial sums; an i1.
  mlir::Value isInParts(const BodyPlan &body, const TileTask &task) const;
  /// The first step of `task` in this block, and how many there are.
  mlir::Value getFirstStep(const BodyPlan &body, const TileTask &task) const;
  mlir::Value getNumSteps(const BodyPlan &body, const TileTask &task) const;
  /// The place in the ring of stages all steps of `task` but `butLast` after
  /// `position`.
  RingPosition skipSteps(const BodyPlan &body, const TileTask &task,
                         const RingPosition &position,
                         int64_t butLast = 0) const;

  /// Where the tile of `task` begins: batch (if the grid has rank 3), and the
  /// first row and column that this block multiplies. All i32.
  mlir::Value getBatch(const BodyPlan &body, const TileTask &task) const;
  mlir::Value getFirstRow(const BodyPlan &body, const TileTask &task) const;
  mlir::Value getFirstColumn(const BodyPlan &body, const TileTask &task) const;
  /// The first MMA row and MMA column that this block completes, i32.
  struct MmaPlace {
    mlir::Value row, column;
  };
  MmaPlace getResultPlace(const BodyPlan &body, const TileTask &task) const;

  /// Says, for a whole warp, that it has read `stage`: to every block that may
  /// copy to this one.
  void emitStageRelease(mlir::Value stage) const;
  /// The same by one thread, for all warps that compute a tile of `body`, of
  /// the stages that have its staging buffers, if any; `lastStage` is that of
  /// its last step.
  void emitStagedRelease(const BodyPlan &body, mlir::Value lastStage) const;

private:
  int64_t getExchangeIndex() const {
    return 2 * (kernel.stages + 1 + kernel.warpgroups * kernel.stagingBuffers);
  }
  mlir::Value getStagingIndex(mlir::Value warpgroup, mlir::Value buffer) const {
    return b.add(b.mul(warpgroup, kernel.stagingBuffers), buffer);
  }
};

/// A place in a ring of buffers: the buffer, and the parity of the round. Each
/// buffer has a full barrier, which completes phase r when it is filled in
/// round r, and an empty one, which completes phase r when that has been read.
/// So whoever reads waits for the parity of the round; whoever fills needs the
/// phase before, and waits for the other parity, which holds at once in round
/// 0.
struct RingPosition {
  mlir::Value buffer, parity;

  static RingPosition first(DeviceBuilder &b) { return {b.i32(0), b.i32(0)}; }
  /// The position `count` after this one in a ring of `size` buffers.
  RingPosition advance(DeviceBuilder &b, int64_t size, int64_t count = 1) const;
  mlir::Value getReaderParity() const { return parity; }
  mlir::Value getWriterParity(DeviceBuilder &b) const {
    return b.bitXor(parity, 1);
  }
};

} // namespace grout::hopper

#endif // GROUT_CONVERSION_TGEMMTONVVM_KERNELCONTEXT_H
