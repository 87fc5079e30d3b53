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
/// after its writes. At each step s >= firstStep, a tile of the consumer waits
/// before any read of the step. It waits until every semaphore in the box
/// waitLower(tile, s) .. waitUpper(tile, s) (both ends included) has been
/// posted as often as its count says. Each end is first clamped to [0, shape -
/// 1]. If the lower end is then above the upper end, the box is empty. A tile
/// may skip a wait if the box equals that of step s - 1. Tiles for which a
/// guard is negative wait for nothing.
struct SemaphorePolicy {
  /// (producer tile...) -> (semaphore coordinates...).
  mlir::AffineMap semaphore;
  /// Number of semaphores in each dimension; rank 0 is a single semaphore.
  llvm::SmallVector<int64_t> shape;
  /// The number of posts that complete a semaphore: one entry if all semaphores
  /// have the same count, otherwise one for each semaphore, row-major.
  llvm::SmallVector<int64_t> counts;
  /// (consumer tile..., step) -> (semaphore coordinates...).
  mlir::AffineMap waitLower, waitUpper;
  /// Steps before this one wait for nothing.
  int64_t firstStep = 0;
  /// Expressions over the consumer's tile coordinates.
  llvm::SmallVector<mlir::AffineExpr> guards;
};

/// Returns the product of the policy's shape; 1 for rank 0.
int64_t getNumSemaphores(const SemaphorePolicy &policy);

/// Returns the count of the semaphore with row-major index `semaphore`.
int64_t getCount(const SemaphorePolicy &policy, int64_t semaphore);

/// Returns the row-major index of the semaphore that producer `tile` posts; -1
/// if its coordinates lie outside the shape.
int64_t getSemaphore(const SemaphorePolicy &policy,
                     llvm::ArrayRef<int64_t> tile);

/// The clamped box of semaphores that a consumer tile waits for at `step`.
struct WaitBox {
  llvm::SmallVector<int64_t> lower, upper;
  /// Whether a guard says that the tile waits for no semaphore.
  bool isNone = false;

  int64_t size() const;
  bool operator==(const WaitBox &other) const {
    return lower == other.lower && upper == other.upper &&
           isNone == other.isNone;
  }
};
WaitBox getWaitBox(const SemaphorePolicy &policy, llvm::ArrayRef<int64_t> tile,
                   int64_t step);

/// Returns whether a tile waits for different semaphores in different steps.
bool dependsOnStep(const SemaphorePolicy &policy);

/// Calls `visit` with the row-major index of each semaphore in the box.
void forEachSemaphore(const SemaphorePolicy &policy, const WaitBox &box,
                      llvm::function_ref<void(int64_t)> visit);

/// Returns how many semaphore waits one tile of `consumer` executes, if it
/// skips a box that equals that of the step before. Only looks at steps whose
/// waits may differ; returns none if there are more than `maxSteps` of them.
std::optional<int64_t> countWaits(const SemaphorePolicy &policy,
                                  const TileKernel &consumer,
                                  llvm::ArrayRef<int64_t> tile,
                                  int64_t maxSteps);

/// Returns the usual name of the policy's shape, for explanations: "KernelSync"
/// (a single semaphore), "TileSync" (one for each tile), "RowSync" (leading
/// dimensions, possibly in blocks), "StridedSync" (classes modulo a stride) or
/// "custom". The first three are named as in cuSync (CGO 2024).
llvm::StringRef getPolicyName(const SemaphorePolicy &policy);

} // namespace grout

#endif // GROUT_ANALYSIS_SEMAPHOREPOLICY_H
