//===- Epilogue.h - From accumulators to the result -------------*- C++ -*-===//
//
// Part of Grout. Consumer warpgroups apply the epilogue and fill staging
// buffers in shared memory. The storer (TileStores.h) copies these buffers to
// the result.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_HOPPER_GEMM_EPILOGUE_H
#define GROUT_LIB_HOPPER_GEMM_EPILOGUE_H

#include "EarlyInputs.h"
#include "MainLoop.h"
#include "grout/Hopper/Gemm/GemmContext.h"

namespace grout::hopper {

/// Emits the waits for operands that are read after the steps, if `isMeant`
/// holds for a wait, for warpgroup `warpgroup` (an i32). One thread polls; the
/// barrier of the warpgroup then makes the acquired data visible to the others.
void emitEpilogueWaits(const GemmContext &context, const BodyPlan &body,
                       const TaskValues &task, mlir::Value warpgroup,
                       llvm::function_ref<bool(const SemaphoreWait &)> isMeant);

/// Emits the epilogue of a tile, for consumer warpgroup `warpgroup` (an i32).
/// `early` has the inputs that were read before or during the steps. `position`
/// is in the ring of the warpgroup's staging buffers. Returns the position
/// after the tile.
RingPosition emitTileEpilogue(const GemmContext &context, const BodyPlan &body,
                              const TaskValues &task, mlir::Value warpgroup,
                              const TileProducts &products,
                              const EarlyInputs &early, RingPosition position);

} // namespace grout::hopper

#endif // GROUT_LIB_HOPPER_GEMM_EPILOGUE_H
