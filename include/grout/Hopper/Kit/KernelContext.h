//===- KernelContext.h - A kernel while it is built -------------*- C++ -*-===//
//
// Part of Grout. The values that the code of every kind of kernel uses.
// Each kind of kernel adds its own.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_HOPPER_KIT_KERNELCONTEXT_H
#define GROUT_HOPPER_KIT_KERNELCONTEXT_H

#include "grout/Hopper/Kit/DeviceBuilder.h"
#include "grout/Hopper/Kit/KernelPlan.h"

namespace grout::hopper {

/// All values are i32, and uniform in a warp unless a comment says otherwise.
struct KernelContext {
  DeviceBuilder &b;
  mlir::ValueRange params;
  /// The address of the dynamic shared memory.
  mlir::Value shared;
  /// The number of the thread in its block, and in its warp (not uniform), and
  /// of the warp in its block.
  mlir::Value thread, lane, warp;
  /// The number of the block in its cluster.
  mlir::Value blockRank;
  /// The synchronisation state as !tsync.semaphores, if there is one.
  mlir::Value semaphores;

  /// Emits these values, without the semaphores, at the start of the kernel of
  /// `plan`. `b` is there.
  KernelContext(DeviceBuilder &b, const KernelPlan &plan);

  mlir::Value getParam(unsigned index) const { return params[index]; }
  /// The number of the thread's warpgroup among the consumer warpgroups.
  mlir::Value getWarpgroup() const;
  /// The number of the warp, and of the thread (not uniform), in its warpgroup.
  mlir::Value getWarpInGroup() const;
  mlir::Value getThreadInGroup() const;
};

} // namespace grout::hopper

#endif // GROUT_HOPPER_KIT_KERNELCONTEXT_H
