//===- PartialSums.h - Stream-K tiles ---------------------------*- C++ -*-===//
//
// Part of Grout. Parts of a tile are tasks of their own, which any block or
// cluster may run. Their sums go through global memory: each consumer thread
// stores its accumulators, and the thread at the same place in the block that
// completes the tile reads them.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_HOPPER_GEMM_PARTIALSUMS_H
#define GROUT_LIB_HOPPER_GEMM_PARTIALSUMS_H

#include "MainLoop.h"
#include "grout/Hopper/Gemm/GemmContext.h"

namespace grout::hopper {

/// Stores the accumulators of a part, for consumer warpgroup `warpgroup`, and
/// then arrives for the storer. Uses only the barriers of the warpgroup's
/// staging buffers; `position` is in their ring. Returns the next position.
RingPosition emitStoreSums(const GemmContext &context, const BodyPlan &body,
                           const TaskValues &task, mlir::Value warpgroup,
                           const TileProducts &products, RingPosition position);

/// Emits the storer's work on a part: it posts when the whole block has stored
/// its sums. See emitTileStores for the arguments.
void emitPostSums(const GemmContext &context, const BodyPlan &body,
                  const TaskValues &task, mlir::Value lastStage,
                  llvm::MutableArrayRef<RingPosition> positions);

/// If a tile has parts, waits for them, and adds their sums to the tile's
/// accumulators in the order of the parts.
void emitAddSums(const GemmContext &context, const BodyPlan &body,
                 const TaskValues &task, mlir::Value warpgroup,
                 TileProducts &products);

} // namespace grout::hopper

#endif // GROUT_LIB_HOPPER_GEMM_PARTIALSUMS_H
