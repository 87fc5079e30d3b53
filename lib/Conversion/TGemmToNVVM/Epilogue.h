//===- Epilogue.h - From accumulators to the result -------------*- C++ -*-===//
//
// Part of Grout. Consumer warpgroups apply the epilogue and fill staging
// buffers in shared memory; the storer (TileStores.h) copies these to the
// result.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_CONVERSION_TGEMMTONVVM_EPILOGUE_H
#define GROUT_LIB_CONVERSION_TGEMMTONVVM_EPILOGUE_H

#include "EarlyInputs.h"
#include "MainLoop.h"
#include "grout/Conversion/TGemmToNVVM/KernelContext.h"

namespace grout::hopper {

/// Emits the waits for those of the operands that are read after the steps of
/// which `isMeant` holds, for warpgroup `warpgroup` (an i32): one thread polls,
/// and the barrier passes on what it acquired.
void emitEpilogueWaits(const KernelContext &context, const BodyPlan &body,
                       const TileTask &task, mlir::Value warpgroup,
                       llvm::function_ref<bool(const SemaphoreWait &)> isMeant);

/// Emits the epilogue of a tile, which has read `early` before its steps, for
/// consumer warpgroup `warpgroup` (an i32).
/// `position` is in the ring of the warpgroup's staging buffers; returns the
/// one after.
RingPosition emitTileEpilogue(const KernelContext &context,
                              const BodyPlan &body, const TileTask &task,
                              mlir::Value warpgroup,
                              const TileProducts &products,
                              const EarlyInputs &early, RingPosition position);

} // namespace grout::hopper

#endif // GROUT_LIB_CONVERSION_TGEMMTONVVM_EPILOGUE_H
