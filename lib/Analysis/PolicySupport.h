//===- PolicySupport.h - Policies as isl relations --------------*- C++ -*-===//
//
// Part of Grout. For lib/Analysis only.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_ANALYSIS_POLICYSUPPORT_H
#define GROUT_LIB_ANALYSIS_POLICYSUPPORT_H

#include "TileKernelSets.h"
#include "grout/Analysis/DerivePolicy.h"

namespace grout::detail {

/// Returns the relation that TileClasses::needed describes.
isl::map neededTiles(const isl::map &dependence, const TileKernel &producer,
                     const TileKernel &consumer, Granularity granularity);

/// Returns { p -> q : `needed` maps the same tuples to p and to q, and at least
/// one }.
isl::map sameConsumers(const isl::map &needed);

/// Returns { producer[tile...] -> [semaphore coordinates...] } on the grid.
isl::map semaphoreMap(isl::ctx ctx, const SemaphorePolicy &policy,
                      const TileKernel &producer);

/// Returns { consumer[tile..., step] -> [semaphore coordinates...] }: the
/// clamped boxes of all steps that wait.
isl::map waitMap(isl::ctx ctx, const SemaphorePolicy &policy,
                 const TileKernel &producer, const TileKernel &consumer);

/// Sets waitLower and waitUpper of `policy`, whose other fields are set, to
/// proved bounds of `waited`, { consumer[tile..., step] -> [coordinates...] }.
/// Returns whether the boxes contain nothing else.
bool findWaitBounds(const IslContext &context, const isl::map &waited,
                    const TileKernel &producer, const TileKernel &consumer,
                    mlir::MLIRContext *mlirContext, SemaphorePolicy &policy);

/// Returns the largest semaphore coordinate in dimension `dim`, on `space`.
isl::pw_aff lastSemaphore(const isl::space &space,
                          const SemaphorePolicy &policy,
                          const TileKernel &producer, unsigned dim);

} // namespace grout::detail

#endif // GROUT_LIB_ANALYSIS_POLICYSUPPORT_H
