//===- DerivePolicy.h - Semaphores from a dependence ------------*- C++ -*-===//
//
// Part of Grout. Finds the equivalence classes of producer tiles that may
// share a semaphore, then affine maps that number classes and bound waits.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_ANALYSIS_DERIVEPOLICY_H
#define GROUT_ANALYSIS_DERIVEPOLICY_H

#include "grout/Analysis/SemaphorePolicy.h"
#include "grout/Analysis/TileDependence.h"

namespace grout {

/// When a consumer tile waits, and so which producer tiles it tells apart.
enum class Granularity {
  /// At every step, for what that step reads.
  Tile,
  /// Once, for all that the tile reads.
  Row,
  /// Once, for all tiles of the producer.
  Kernel,
};

/// Which producer tiles have exactly the same consumers.
struct TileClasses {
  /// { producer[p] -> producer[q] : the same consumers read p and q }, on the
  /// tiles that some consumer reads. An equivalence.
  Relation equivalence;
  /// { consumer[tile..., step] -> producer[tile...] : must have completed }.
  /// With Granularity::Row every step needs what any step reads.
  Relation needed;
};

/// Derives the classes of `dependence`. `producer` and `consumer` are the
/// kernels that it joins.
llvm::Expected<TileClasses> deriveClasses(const TileDependence &dependence,
                                          const TileKernel &producer,
                                          const TileKernel &consumer,
                                          Granularity granularity);

struct DerivePolicyOptions {
  /// A policy with unequal counts and more semaphores is made coarser.
  int64_t maxCounts = 65536;
};

/// A policy with what is known about it.
struct DerivedPolicy {
  SemaphorePolicy policy;
  /// Known: tiles share a semaphore if and only if they have the same
  /// consumers, so sharing makes no consumer wait for a tile that it does not
  /// need.
  bool exactClasses = false;
  /// Known: every box contains the needed semaphores and no other.
  bool exactWaits = false;
  /// See getPolicyName.
  std::string name;
  /// Extents of the semaphore array and factors of the uniform count, in which
  /// symbol i is the size of producer grid dimension i. Exact if the grid is
  /// static; with a dynamic grid, `policy` holds kDynamic where they are not
  /// constants. `countFactors` is empty if counts differ.
  llvm::SmallVector<mlir::AffineExpr> shapeExprs, countFactors;
};

/// Derives semaphores for `dependence` by guess and verify: each dimension of
/// the producer's grid is tried as dropped, t, (t + o) floordiv c, t mod c and
/// their combinations, with constants read off the classes, and the finest
/// that isl proves to keep every class together is kept. Waits are covered by
/// a box whose ends are proved to be bounds. The result always covers the
/// dependence. `mlirContext` owns the maps. Fails if the dependence is empty.
llvm::Expected<DerivedPolicy>
derivePolicy(const TileDependence &dependence, const TileKernel &producer,
             const TileKernel &consumer, Granularity granularity,
             mlir::MLIRContext *mlirContext,
             const DerivePolicyOptions &options = {});

/// { consumer[tile..., step] -> producer[tile...] : waited for }: the policy's
/// boxes, clamped, composed with the inverse of its semaphore map.
llvm::Expected<Relation> getWaitedTiles(const IslContext &context,
                                        const SemaphorePolicy &policy,
                                        const TileKernel &producer,
                                        const TileKernel &consumer);

} // namespace grout

#endif // GROUT_ANALYSIS_DERIVEPOLICY_H
