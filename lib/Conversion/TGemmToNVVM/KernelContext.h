//===- KernelContext.h - A kernel while it is built -------------*- C++ -*-===//
//
// Part of Grout. What the parts of a kernel's code share.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_CONVERSION_TGEMMTONVVM_KERNELCONTEXT_H
#define GROUT_LIB_CONVERSION_TGEMMTONVVM_KERNELCONTEXT_H

#include "DeviceBuilder.h"
#include "KernelPlan.h"

namespace grout::hopper {

/// Threads that consume task `t` before task `t + 1` may replace it: the two
/// loaders, and a thread of every warp of the consumers.
inline constexpr int64_t kNumLoaders = 2;

struct KernelContext {
  DeviceBuilder &b;
  const KernelPlan &kernel;
  mlir::ValueRange params;
  /// Address of the dynamic shared memory.
  mlir::Value shared;
  /// Thread in its warp, and, equal in all of a warp, warp in the block.
  mlir::Value lane, warp;
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
  /// Completes when a stage has been read. Arrivals: the consumers' warps.
  mlir::Value getEmptyBarrier(mlir::Value stage) const {
    return b.add(getBarrier(kernel.stages), b.mul(stage, kBarrierBytes));
  }
  /// Completes when a task has been published. Arrivals: the scheduler.
  mlir::Value getTaskFullBarrier() const {
    return getBarrier(2 * kernel.stages);
  }
  /// Completes when a task has been read. Arrivals: kNumLoaders, and the
  /// consumers' warps.
  mlir::Value getTaskEmptyBarrier() const {
    return getBarrier(2 * kernel.stages + 1);
  }
  mlir::Value getStageAddress(mlir::Value stage) const {
    return b.add(shared, b.mul(stage, kernel.stageBytes));
  }
  int64_t getNumConsumerWarps() const {
    return kernel.warpgroups * kWarpsPerWarpgroup;
  }
};

/// A place in the ring of stages: the stage, and the parity of the round, which
/// is the parity of the phase that its barriers are in.
struct RingPosition {
  mlir::Value stage, parity;

  static RingPosition first(DeviceBuilder &b) { return {b.i32(0), b.i32(0)}; }
  /// The position after this one.
  RingPosition next(const KernelContext &context) const;
  /// The position `steps` positions after this one.
  RingPosition advance(const KernelContext &context, int64_t steps) const;
};

/// A tile that a block works on.
struct TileTask {
  mlir::Value body, x, y, z;

  /// The tile coordinates of a grid of `rank` dimensions, as indices.
  llvm::SmallVector<mlir::Value> getTile(DeviceBuilder &b,
                                         unsigned rank) const;
  /// Coordinates of the tile in the result: batch (if the grid has rank 3),
  /// first row and first column, i32.
  mlir::Value getBatch(const BodyPlan &body) const;
  mlir::Value getFirstRow(DeviceBuilder &b, const BodyPlan &body) const;
  mlir::Value getFirstColumn(DeviceBuilder &b, const BodyPlan &body) const;
};

} // namespace grout::hopper

#endif // GROUT_LIB_CONVERSION_TGEMMTONVVM_KERNELCONTEXT_H
