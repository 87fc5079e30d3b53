//===- MainLoop.h - The steps of a tile -------------------------*- C++ -*-===//
//
// Part of Grout. Loads into the ring of stages, and products out of it.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_CONVERSION_TGEMMTONVVM_MAINLOOP_H
#define GROUT_LIB_CONVERSION_TGEMMTONVVM_MAINLOOP_H

#include "KernelContext.h"

namespace grout::hopper {

/// Emits the loads of a tile by `loader`, for one thread. Returns the place in
/// the ring after them.
RingPosition emitTileLoads(const KernelContext &context, const BodyPlan &body,
                           Loader loader, const TileTask &task,
                           RingPosition position);

/// Emits the products of a tile, for a whole warpgroup, number `warpgroup` of
/// the consumers (an i32). Returns the accumulators, ready to be read: for each
/// 64-row block, one struct for each product.
llvm::SmallVector<mlir::Value>
emitTileProducts(const KernelContext &context, const BodyPlan &body,
                 mlir::Value warpgroup, RingPosition position);

} // namespace grout::hopper

#endif // GROUT_LIB_CONVERSION_TGEMMTONVVM_MAINLOOP_H
