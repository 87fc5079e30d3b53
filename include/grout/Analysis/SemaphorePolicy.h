//===- SemaphorePolicy.h - Semaphores for a tile dependence -----*- C++ -*-===//
//
// Part of Grout. A policy as plain data: affine maps and counts.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_ANALYSIS_SEMAPHOREPOLICY_H
#define GROUT_ANALYSIS_SEMAPHOREPOLICY_H

#include "grout/Analysis/TileKernel.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <optional>

namespace grout {

/// How an array of semaphores implements one tile dependence.
///
/// Every tile of the producer posts the semaphore at `semaphore(tile)` once,
/// after its writes. A tile of the consumer, at each step s >= firstStep and
/// before any read of that step, waits until every semaphore in the box
/// waitLower(tile, s) .. waitUpper(tile, s) (both ends included) has been
/// posted as often as its count says. Each end is first clamped to
/// [0, shape - 1]; a box whose lower end is then above its upper end is empty.
/// A wait may be skipped where the box equals that of step s - 1. Tiles for
/// which a guard is negative wait for nothing.
struct SemaphorePolicy {
  /// (producer tile...) -> (semaphore coordinates...).
  mlir::AffineMap semaphore;
  /// Number of semaphores in each dimension; rank 0 is a single semaphore.
  llvm::SmallVector<int64_t> shape;
  /// Posts that complete a semaphore: one entry if all have the same count,
  /// else one for each semaphore, row-major.
  llvm::SmallVector<int64_t> counts;
  /// (consumer tile..., step) -> (semaphore coordinates...).
  mlir::AffineMap waitLower, waitUpper;
  /// Steps before this one wait for nothing.
  int64_t firstStep = 0;
  /// Over the consumer's tile coordinates.
  llvm::SmallVector<mlir::AffineExpr> guards;
};

/// The product of the policy's shape; 1 for rank 0.
int64_t getNumSemaphores(const SemaphorePolicy &policy);

/// The count of the semaphore with row-major index `semaphore`.
int64_t getCount(const SemaphorePolicy &policy, int64_t semaphore);

/// The row-major index of the semaphore that producer `tile` posts; -1 if its
/// coordinates lie outside the shape.
int64_t getSemaphore(const SemaphorePolicy &policy,
                     llvm::ArrayRef<int64_t> tile);

/// The clamped box of semaphores that a consumer tile waits for at `step`.
struct WaitBox {
  llvm::SmallVector<int64_t> lower, upper;
  /// Whether a guard leaves nothing of it.
  bool isNone = false;

  int64_t size() const;
  bool operator==(const WaitBox &other) const {
    return lower == other.lower && upper == other.upper &&
           isNone == other.isNone;
  }
};
WaitBox getWaitBox(const SemaphorePolicy &policy, llvm::ArrayRef<int64_t> tile,
                   int64_t step);

/// Whether what a tile waits for differs from step to step.
bool dependsOnStep(const SemaphorePolicy &policy);

/// Calls `visit` with the row-major index of each semaphore in the box.
void forEachSemaphore(const SemaphorePolicy &policy, const WaitBox &box,
                      llvm::function_ref<void(int64_t)> visit);

/// How many semaphore waits one tile of `consumer` executes, with a box
/// skipped where it equals that of the step before. Looks at each step whose
/// waits may differ; none if those are more than `maxSteps`.
std::optional<int64_t> countWaits(const SemaphorePolicy &policy,
                                  const TileKernel &consumer,
                                  llvm::ArrayRef<int64_t> tile,
                                  int64_t maxSteps);

/// The usual name of the policy's shape, for explanations: "KernelSync" (a
/// single semaphore), "TileSync" (one for each tile), "RowSync" (leading
/// dimensions, possibly in blocks), "StridedSync" (classes modulo a stride) or
/// "custom". The first three are named as in cuSync (CGO 2024).
llvm::StringRef getPolicyName(const SemaphorePolicy &policy);

} // namespace grout

#endif // GROUT_ANALYSIS_SEMAPHOREPOLICY_H
