//===- SemaphoreLayout.h - Where a chain's semaphores are -------*- C++ -*-===//
//
// Part of Grout. From the dependences of a chain to what every kernel posts and
// waits for, and the code for it. Shared by all code generators.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_CONVERSION_COMMON_SEMAPHORELAYOUT_H
#define GROUT_CONVERSION_COMMON_SEMAPHORELAYOUT_H

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
  /// Whose tiles post.
  TileKernelOpInterface producer;

  /// The same where clusters of blocks compute the producer's tiles, and each
  /// block posts for its part.
  SemaphoreWait inBlocks() const;
};

/// The semaphores of a chain: each distinct (producer, semaphore map) pair gets
/// one array, so that consumers which share a policy share its posts.
class SemaphoreLayout {
public:
  /// Lays out the semaphores of `chain`. One that is not synchronised by tile
  /// has none. Fails, with a diagnostic, if a dependence by tile has no policy,
  /// or if nothing has proved the chain.
  static mlir::FailureOr<SemaphoreLayout> get(tsync::ChainOp chain);

  llvm::ArrayRef<SemaphorePost> getPosts(mlir::Operation *kernel) const;
  llvm::ArrayRef<SemaphoreWait> getWaits(mlir::Operation *kernel) const;
  bool usesSemaphores(mlir::Operation *kernel) const {
    return !getPosts(kernel).empty() || !getWaits(kernel).empty();
  }
  int64_t getNumSemaphores() const { return numSemaphores; }
  /// How many tiles must be resident for the chain not to deadlock.
  int64_t getResidents() const { return residents; }

private:
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<SemaphorePost>> posts;
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<SemaphoreWait>> waits;
  int64_t numSemaphores = 0;
  int64_t residents = 1;
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
