//===- SemaphoreLayout.h - Posts and waits of tiles -------------*- C++ -*-===//
//
// Part of Grout. The posts and waits of every kernel of a launch, and the code
// for them. All code generators share this file.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_CONVERSION_COMMON_SEMAPHORELAYOUT_H
#define GROUT_CONVERSION_COMMON_SEMAPHORELAYOUT_H

#include "grout/Dialect/Launch/IR/Launch.h"
#include "grout/Dialect/TSync/IR/TSync.h"
#include "llvm/ADT/DenseMap.h"

namespace grout {

/// A post that every tile of a kernel makes when it has written its results.
struct SemaphorePost {
  /// Number of the array's first semaphore in the launch.
  int64_t base;
  /// Maps (tile...) to coordinates in the array.
  mlir::AffineMap semaphore;
  llvm::SmallVector<int64_t> shape;
};

/// A wait that every tile of a kernel makes before it reads an operand.
struct SemaphoreWait {
  int64_t base;
  /// The consumer's operand number.
  unsigned operand;
  tsync::PolicyAttr policy;
  /// Whether the box of semaphores depends on the step. If not, one wait before
  /// the first step is enough.
  bool dependsOnStep;
  /// Whether only the epilogue reads the operand.
  bool afterSteps;
  /// The number of blocks that compute a tile of the producer.
  int64_t posters;

  /// Returns the wait with its counts multiplied by `posters`: for producers
  /// whose tiles are computed by clusters, in which each block posts for its
  /// part.
  SemaphoreWait inBlocks() const;
};

/// The posts and waits of the kernels of a launch.
class SemaphoreLayout {
public:
  explicit SemaphoreLayout(launch::TilesOp launch);

  llvm::ArrayRef<SemaphorePost> getPosts(mlir::Operation *kernel) const;
  llvm::ArrayRef<SemaphoreWait> getWaits(mlir::Operation *kernel) const;
  /// Whether tiles wait before they read operand `operand` of `kernel`.
  bool isWaitedFor(mlir::Operation *kernel, unsigned operand) const;

private:
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<SemaphorePost>> posts;
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<SemaphoreWait>> waits;
};

/// Emits loops over the semaphores of `wait`'s box, with a `tsync.wait` for
/// each. `tile` and `step` are of index type. `task`, if given, tells the waits
/// which tile is waiting.
void emitSemaphoreWaits(mlir::OpBuilder &builder, mlir::Location loc,
                        const SemaphoreWait &wait, mlir::ValueRange tile,
                        mlir::Value step, mlir::Value semaphores,
                        tsync::Scope scope, tsync::Proxy proxy,
                        mlir::ValueRange task = {});

/// Emits whether the box of `wait` at `step` differs from the box at `step` -
/// 1, as an i1; true at step 0. If it is false, the wait of the step before
/// covers the same semaphores, so this wait may be skipped.
mlir::Value emitBoxChanged(mlir::OpBuilder &builder, mlir::Location loc,
                           const SemaphoreWait &wait, mlir::ValueRange tile,
                           mlir::Value step);

/// Emits the `tsync.post` of a tile. `tile` is of index type.
void emitSemaphorePost(mlir::OpBuilder &builder, mlir::Location loc,
                       const SemaphorePost &post, mlir::ValueRange tile,
                       mlir::Value semaphores, tsync::Scope scope,
                       tsync::Proxy proxy);

} // namespace grout

#endif // GROUT_CONVERSION_COMMON_SEMAPHORELAYOUT_H
