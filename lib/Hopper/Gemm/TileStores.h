//===- TileStores.h - From staging buffers to the result --------*- C++ -*-===//
//
// Part of Grout. The storer's work: one thread copies the buffers that consumer
// warpgroups have filled, and posts the tile's semaphores.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_HOPPER_GEMM_TILESTORES_H
#define GROUT_LIB_HOPPER_GEMM_TILESTORES_H

#include "grout/Hopper/Gemm/GemmContext.h"

namespace grout::hopper {

/// Emits the stores of a tile and its posts, for one thread. `lastStage` is the
/// stage of the tile's last step. `positions` has a position in the staging
/// buffers of every consumer warpgroup, which the function moves past the tile.
void emitTileStores(const GemmContext &context, const BodyPlan &body,
                    const TaskValues &task, mlir::Value lastStage,
                    llvm::MutableArrayRef<RingPosition> positions);

/// Returns the place of copy `copy` (an i32) of the first warpgroup's results,
/// in MMA rows and columns, for a tile at `tile`.
GemmContext::MmaPlace getCopyPlace(const GemmContext &context,
                                   const BodyPlan &body,
                                   GemmContext::MmaPlace tile,
                                   mlir::Value copy);

/// Emits the end of the storer: its stores must finish before the block does.
void emitStoresEnd(const GemmContext &context);

} // namespace grout::hopper

#endif // GROUT_LIB_HOPPER_GEMM_TILESTORES_H
