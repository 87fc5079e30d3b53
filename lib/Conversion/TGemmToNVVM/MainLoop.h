//===- MainLoop.h - The K loop of a tile ------------------------*- C++ -*-===//
//
// Part of Grout. Loads into the ring of stages, and products out of it.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_CONVERSION_TGEMMTONVVM_MAINLOOP_H
#define GROUT_LIB_CONVERSION_TGEMMTONVVM_MAINLOOP_H

#include "EarlyInputs.h"
#include "grout/Conversion/TGemmToNVVM/KernelContext.h"

namespace grout::hopper {

/// Emits the loads of a tile by `loader`, for one thread. Returns the place in
/// the ring after them.
RingPosition emitTileLoads(const KernelContext &context, const BodyPlan &body,
                           Loader loader, const TileTask &task,
                           RingPosition position);

/// Waits until every stage has been freed, by all blocks of the cluster: none
/// has then anything left to tell this one. `position` is that after the last
/// load.
void emitLoadsEnd(const KernelContext &context, RingPosition position);

/// What the products of a tile leave behind.
struct TileProducts {
  /// For each 64-row block, one struct of accumulators for each product.
  llvm::SmallVector<mlir::Value> accumulators;
  /// The stage of the last step. If results are staged in the ring, it has not
  /// been freed.
  mlir::Value lastStage;
};

/// Emits the products of a tile, for a whole warpgroup, number `warpgroup` of
/// the consumers (an i32). The accumulators are ready to be read. Before the
/// last steps come the loads of `early`'s matrices, or before the first where
/// steps are added up in parts.
TileProducts emitTileProducts(const KernelContext &context,
                              const BodyPlan &body, const TileTask &task,
                              mlir::Value warpgroup, RingPosition position,
                              EarlyInputs &early);

/// Emits what a warpgroup does that `body` leaves idle: it frees the tile's
/// stages as they come. It must not run ahead, because a barrier tells only
/// phases that follow each other apart.
void emitIdleTile(const KernelContext &context, const BodyPlan &body,
                  const TileTask &task, RingPosition position);

} // namespace grout::hopper

#endif // GROUT_LIB_CONVERSION_TGEMMTONVVM_MAINLOOP_H
