//===- SemaphoreLayout.h - What tiles post and wait for ---------*- C++ -*-===//
//
// Part of Grout. What every kernel of a launch posts and waits for, and the
// code for it. Shared by all code generators.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_CONVERSION_COMMON_SEMAPHORELAYOUT_H
#define GROUT_CONVERSION_COMMON_SEMAPHORELAYOUT_H

#include "grout/Dialect/Launch/IR/Launch.h"
#include "grout/Dialect/TSync/IR/TSync.h"
#include "llvm/ADT/DenseMap.h"

namespace grout {

/// What every tile of a kernel posts when it has written its results.
struct SemaphorePost {
  /// Number of the array's first semaphore in the launch.
  int64_t base;
  /// (tile...) -> coordinates in the array.
  mlir::AffineMap semaphore;
  llvm::SmallVector<int64_t> shape;
};

/// What every tile of a kernel waits for before it reads an operand.
struct SemaphoreWait {
  int64_t base;
  /// The consumer's operand number.
  unsigned operand;
  tsync::PolicyAttr policy;
  /// Whether the box depends on the step: if not, one wait before the first
  /// step is enough.
  bool dependsOnStep;
  /// Whether only the epilogue reads the operand.
  bool afterSteps;
  /// The blocks that compute a tile of the producer.
  int64_t posters;

  /// The same where clusters of blocks compute the producer's tiles, and each
  /// block posts for its part.
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
/// each. `tile` and `step` are of index type. `task`, if given, is what the
/// waits name as the tile that waits.
void emitSemaphoreWaits(mlir::OpBuilder &builder, mlir::Location loc,
                        const SemaphoreWait &wait, mlir::ValueRange tile,
                        mlir::Value step, mlir::Value semaphores,
                        tsync::Scope scope, tsync::Proxy proxy,
                        mlir::ValueRange task = {});

/// Whether the box of `wait` at `step` differs from that at `step` - 1, as an
/// i1; true at step 0. A wait that is skipped where this is false still covers
/// the same semaphores.
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
