//===- TileStores.h - From staging buffers to the result --------*- C++ -*-===//
//
// Part of Grout. What the storer does: one thread copies the buffers that
// consumer warpgroups have filled, and posts the tile's semaphores.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_CONVERSION_TGEMMTONVVM_TILESTORES_H
#define GROUT_LIB_CONVERSION_TGEMMTONVVM_TILESTORES_H

#include "grout/Conversion/TGemmToNVVM/KernelContext.h"

namespace grout::hopper {

/// Emits the stores of a tile and its posts, for one thread. `lastStage` is the
/// stage of its last step. `positions` are those of every consumer warpgroup;
/// moves them to the ones after.
void emitTileStores(const KernelContext &context, const BodyPlan &body,
                    const TileTask &task, mlir::Value lastStage,
                    llvm::MutableArrayRef<RingPosition> positions);

/// Emits the end of the storer: its stores must finish before the block does.
void emitStoresEnd(const KernelContext &context);

} // namespace grout::hopper

#endif // GROUT_LIB_CONVERSION_TGEMMTONVVM_TILESTORES_H
