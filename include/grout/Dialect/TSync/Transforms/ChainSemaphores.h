//===- ChainSemaphores.h - Where a chain's semaphores are -------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_DIALECT_TSYNC_TRANSFORMS_CHAINSEMAPHORES_H
#define GROUT_DIALECT_TSYNC_TRANSFORMS_CHAINSEMAPHORES_H

#include "grout/Dialect/TSync/IR/TSync.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseMap.h"

namespace grout::tsync {

/// The semaphores of a chain: each distinct (producer, semaphore map) pair gets
/// one array, so that consumers which share a policy share its posts.
class ChainSemaphores {
public:
  /// Lays out the semaphores of `chain`. One that is not synchronised by tile
  /// has none. Fails, with a diagnostic, if a dependence by tile has no policy,
  /// or if they are more than a launch can have.
  static mlir::FailureOr<ChainSemaphores> get(ChainOp chain);

  /// How many there are.
  int64_t getCount() const { return count; }
  /// Whether tiles of `kernel` post or wait.
  bool areUsedBy(TileKernelOpInterface kernel) const {
    return posts.contains(kernel) || waits.contains(kernel);
  }
  /// Where the array begins that `dependence` waits for; none if no tiles do.
  std::optional<int64_t> getBase(DependenceOp dependence) const;
  /// Adds the tsync.post_tiles and tsync.wait_tiles of `kernel`, for `copy` of
  /// it.
  void emit(mlir::OpBuilder &builder, TileKernelOpInterface kernel,
            mlir::Operation *copy) const;

private:
  /// An array of semaphores that a kernel's tiles post.
  struct Post {
    int64_t base;
    PolicyAttr policy;
  };
  struct Wait {
    int64_t base;
    DependenceOp dependence;
  };

  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<Post>> posts;
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<Wait>> waits;
  int64_t count = 0;
};

} // namespace grout::tsync

#endif // GROUT_DIALECT_TSYNC_TRANSFORMS_CHAINSEMAPHORES_H
