//===- ChainSemaphores.h - The semaphores of a chain ------------*- C++ -*-===//
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

/// The semaphores of a chain. Each distinct pair of producer and semaphore map
/// gets one array, so consumers with the same policy share the posts of the
/// producer.
class ChainSemaphores {
public:
  /// Lays out the semaphores of `chain`. A chain that is not synchronised by
  /// tile has none. Fails with a diagnostic if a dependence by tile has no
  /// policy, or if there are more semaphores than a launch can have.
  static mlir::FailureOr<ChainSemaphores> get(ChainOp chain);

  /// Returns the number of semaphores.
  int64_t getCount() const { return count; }
  /// Returns whether tiles of `kernel` post or wait.
  bool areUsedBy(TileKernelOpInterface kernel) const {
    return posts.contains(kernel) || waits.contains(kernel);
  }
  /// Returns the first semaphore of the array for which the tiles of
  /// `dependence` wait; none if no tiles wait.
  std::optional<int64_t> getBase(DependenceOp dependence) const;
  /// Creates the tsync.post_tiles and tsync.wait_tiles of `kernel`, for `copy`,
  /// a copy of it.
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
