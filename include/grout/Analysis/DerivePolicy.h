//===- DerivePolicy.h - Semaphores from a dependence ------------*- C++ -*-===//
//
// Part of Grout. Finds the equivalence classes of producer tiles that may share
// a semaphore. Then finds affine maps that number the classes and bound the
// waits.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_ANALYSIS_DERIVEPOLICY_H
#define GROUT_ANALYSIS_DERIVEPOLICY_H

#include "grout/Analysis/SemaphorePolicy.h"
#include "grout/Analysis/TileDependence.h"

namespace grout {

/// When a consumer tile waits, which determines the producer tiles that it must
/// distinguish.
enum class Granularity {
  /// At every step, for the tiles that the step reads.
  Tile,
  /// Once, for all tiles that the consumer tile reads.
  Row,
  /// Once, for all tiles of the producer.
  Kernel,
};

/// Which producer tiles have exactly the same consumers.
struct TileClasses {
  /// { producer[p] -> producer[q] : the same consumers read p and q }, on the
  /// tiles that some consumer reads. This is an equivalence relation.
  Relation equivalence;
  /// { consumer[tile..., step] -> producer[tile...] : must have completed }.
  /// With Granularity::Row, every step needs the tiles that any step reads.
  Relation needed;
};

/// Derives the classes of `dependence`, which joins the kernels `producer` and
/// `consumer`.
llvm::Expected<TileClasses> deriveClasses(const TileDependence &dependence,
                                          const TileKernel &producer,
                                          const TileKernel &consumer,
                                          Granularity granularity);

struct DerivePolicyOptions {
  /// A policy with unequal counts and more semaphores than this is made
  /// coarser.
  int64_t maxCounts = 65536;
  /// Along a dimension of the grid with more tiles than this, all semaphores
  /// have equal counts, because unequal counts are found tile by tile.
  int64_t maxCountedTiles = 1 << 20;
};

/// A policy, and its known properties.
struct DerivedPolicy {
  SemaphorePolicy policy;
  /// Whether it is known that tiles share a semaphore if and only if they have
  /// the same consumers. Then no consumer waits for a tile that it does not
  /// need.
  bool exactClasses = false;
  /// Whether it is known that every box contains exactly the needed semaphores.
  bool exactWaits = false;
  /// The result of getPolicyName.
  std::string name;
  /// Extents of the semaphore array, and factors of the uniform count, as
  /// expressions in which symbol i is the size of producer grid dimension i.
  /// They are exact if the grid is static. With a dynamic grid, `policy` holds
  /// kDynamic for an expression that is not constant. `countFactors` is empty
  /// if counts differ.
  llvm::SmallVector<mlir::AffineExpr> shapeExprs, countFactors;
};

/// Derives semaphores for `dependence` by guess and verify. For each dimension
/// t of the producer's grid, the function tries to drop it, t, (t + o) floordiv
/// c, t mod c and their combinations, with constants read off the classes. It
/// keeps the finest map for which isl proves that every class stays together. A
/// box covers the waits, and its ends are proved to be bounds. The result
/// always covers the dependence. `mlirContext` owns the maps. Fails if the
/// dependence is empty.
llvm::Expected<DerivedPolicy>
derivePolicy(const TileDependence &dependence, const TileKernel &producer,
             const TileKernel &consumer, Granularity granularity,
             mlir::MLIRContext *mlirContext,
             const DerivePolicyOptions &options = {});

/// Returns { consumer[tile..., step] -> producer[tile...] : waited for }: the
/// clamped boxes of the policy, composed with the inverse of its semaphore map.
llvm::Expected<Relation> getWaitedTiles(const IslContext &context,
                                        const SemaphorePolicy &policy,
                                        const TileKernel &producer,
                                        const TileKernel &consumer);

} // namespace grout

#endif // GROUT_ANALYSIS_DERIVEPOLICY_H
