//===- KernelSync.h - Waits and posts of a CPU tile body --------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_CONVERSION_TGEMMTOCPU_KERNELSYNC_H
#define GROUT_CONVERSION_TGEMMTOCPU_KERNELSYNC_H

#include "grout/Conversion/Common/CPUTileBody.h"
#include "grout/Conversion/Common/SemaphoreLayout.h"
#include "llvm/ADT/STLExtras.h"

namespace grout::cpu {

/// The waits and posts of one tile kernel.
class KernelSync {
public:
  /// `atStart` says whether an operand is read before the first step.
  KernelSync(mlir::Operation *kernel, const SemaphoreLayout &layout,
             CPUTileBody &body,
             llvm::function_ref<bool(unsigned operand)> atStart);

  /// Waits for all boxes of operands that are read before the first step, and
  /// for boxes that are the same at every step.
  void emitBeforeSteps(mlir::OpBuilder &builder);
  /// Waits for boxes that `step` needs and the step before did not need.
  void emitAtStep(mlir::OpBuilder &builder, mlir::Value step);
  /// Waits for operands that only the epilogue reads.
  void emitAfterSteps(mlir::OpBuilder &builder);
  /// Posts that the tile is done.
  void emitPosts(mlir::OpBuilder &builder);

private:
  /// When a wait must happen.
  enum class WaitTime { BeforeSteps, AtStep, AfterSteps };

  void emitWholeWaits(mlir::OpBuilder &builder, WaitTime time);
  void emitWaitIfChanged(mlir::OpBuilder &builder, const SemaphoreWait &wait,
                         mlir::Value step);

  CPUTileBody &body;
  int64_t steps;
  llvm::SmallVector<std::pair<WaitTime, SemaphoreWait>> waits;
  llvm::ArrayRef<SemaphorePost> posts;
  mlir::Value semaphores;
};

} // namespace grout::cpu

#endif // GROUT_CONVERSION_TGEMMTOCPU_KERNELSYNC_H
