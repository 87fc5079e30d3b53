//===- MainLoop.h - The K loop of a tile ------------------------*- C++ -*-===//
//
// Part of Grout. Loads into the ring of stages, and MMAs on the stages.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_HOPPER_GEMM_MAINLOOP_H
#define GROUT_LIB_HOPPER_GEMM_MAINLOOP_H

#include "EarlyInputs.h"
#include "grout/Hopper/Gemm/GemmContext.h"

namespace grout::hopper {

/// Emits the loads of a tile by `loader`, for one thread. Returns the position
/// in the ring after them.
RingPosition emitTileLoads(const GemmContext &context, const BodyPlan &body,
                           Loader loader, const TaskValues &task,
                           RingPosition position);

/// Waits until all blocks of the cluster have freed every stage. After that, no
/// block sends arrivals to this block any more. `position` is the position
/// after the last load.
void emitLoadsEnd(const GemmContext &context, RingPosition position);

/// The result of the K loop of a tile.
struct TileProducts {
  /// For each 64-row block, one struct of accumulators for each GEMM.
  llvm::SmallVector<mlir::Value> accumulators;
  /// The stage of the last step. If results are staged in the ring, this stage
  /// has not been freed.
  mlir::Value lastStage;
};

/// Emits the K loop of a tile, for the whole consumer warpgroup `warpgroup` (an
/// i32). The returned accumulators may be read. Loads the matrices of `early`
/// before the last steps; or, if the body has `sumSteps`, before the first
/// step.
TileProducts emitTileProducts(const GemmContext &context, const BodyPlan &body,
                              const TaskValues &task, mlir::Value warpgroup,
                              RingPosition position, EarlyInputs &early);

/// Emits the work of a warpgroup that `body` leaves idle: it frees the tile's
/// stages as they are filled. It must not run ahead, because a wait can tell a
/// phase only from its two neighbours.
void emitIdleTile(const GemmContext &context, const BodyPlan &body,
                  const TaskValues &task, RingPosition position);

} // namespace grout::hopper

#endif // GROUT_LIB_HOPPER_GEMM_MAINLOOP_H
