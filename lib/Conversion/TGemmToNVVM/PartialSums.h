//===- PartialSums.h - Stream-K tiles ---------------------------*- C++ -*-===//
//
// Part of Grout. Parts of a tile are tasks of their own, which may run in any
// block or cluster. Their sums go through global memory: each consumer thread
// stores its accumulators, and the thread with the same place in the block that
// completes the tile reads them.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_CONVERSION_TGEMMTONVVM_PARTIALSUMS_H
#define GROUT_LIB_CONVERSION_TGEMMTONVVM_PARTIALSUMS_H

#include "MainLoop.h"
#include "grout/Conversion/TGemmToNVVM/KernelContext.h"

namespace grout::hopper {

/// Stores the accumulators of a part, for consumer warpgroup `warpgroup`, and
/// hands over to the storer. `position` is in the ring of the warpgroup's
/// staging buffers, of which this takes the barriers alone; returns the next.
RingPosition emitStoreSums(const KernelContext &context, const BodyPlan &body,
                           const TileTask &task, mlir::Value warpgroup,
                           const TileProducts &products, RingPosition position);

/// Emits what the storer does with a part: posts when all of the block has been
/// stored. Arguments are those of emitTileStores.
void emitPostSums(const KernelContext &context, const BodyPlan &body,
                  const TileTask &task, mlir::Value lastStage,
                  llvm::MutableArrayRef<RingPosition> positions);

/// Adds the sums of all parts to the accumulators of a tile, if it has parts:
/// waits for them, and adds them in their order.
void emitAddSums(const KernelContext &context, const BodyPlan &body,
                 const TileTask &task, mlir::Value warpgroup,
                 TileProducts &products);

} // namespace grout::hopper

#endif // GROUT_LIB_CONVERSION_TGEMMTONVVM_PARTIALSUMS_H
