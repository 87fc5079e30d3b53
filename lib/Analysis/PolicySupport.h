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

/// See TileClasses::needed.
isl::map neededTiles(const isl::map &dependence, const TileKernel &producer,
                     const TileKernel &consumer, Granularity granularity);

/// { p -> q : `needed` maps the same tuples to p and to q, and some }.
isl::map sameConsumers(const isl::map &needed);

/// { producer[tile...] -> [semaphore coordinates...] } on the grid.
isl::map semaphoreMap(isl::ctx ctx, const SemaphorePolicy &policy,
                      const TileKernel &producer);

/// { consumer[tile..., step] -> [semaphore coordinates...] }: the clamped
/// boxes of all steps that wait.
isl::map waitMap(isl::ctx ctx, const SemaphorePolicy &policy,
                 const TileKernel &producer, const TileKernel &consumer);

/// Sets waitLower and waitUpper of `policy`, whose other fields are set, to
/// proved bounds of `waited`, { consumer[tile..., step] -> [coordinates...] }.
/// Returns whether the boxes hold nothing else.
bool findWaitBounds(const IslContext &context, const isl::map &waited,
                    const TileKernel &producer, const TileKernel &consumer,
                    mlir::MLIRContext *mlirContext, SemaphorePolicy &policy);

/// The largest semaphore coordinate in dimension `dim`, on `space`.
isl::pw_aff lastSemaphore(const isl::space &space,
                          const SemaphorePolicy &policy,
                          const TileKernel &producer, unsigned dim);

} // namespace grout::detail

#endif // GROUT_LIB_ANALYSIS_POLICYSUPPORT_H
