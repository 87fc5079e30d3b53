//===- Exchange.h - Sums over the blocks of a cluster -----------*- C++ -*-===//
//
// Part of Grout. The blocks of a split-K tile each have partial
// sums of all of it. A reduce-scatter leaves each with the sums of one part of
// the columns: block `s` of `S` sends, for every other block, the part that
// that block completes, and adds what it receives to its own.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_CONVERSION_TGEMMTONVVM_EXCHANGE_H
#define GROUT_LIB_CONVERSION_TGEMMTONVVM_EXCHANGE_H

#include "MainLoop.h"
#include "grout/Conversion/TGemmToNVVM/KernelContext.h"

namespace grout::hopper {

/// Replaces the accumulators of `products` by the sums over the cluster of
/// those that this block completes. Uses the buffer for partial sums in the
/// round of `position`; returns the next.
RingPosition emitExchange(const KernelContext &context, const BodyPlan &body,
                          mlir::Value warpgroup, TileProducts &products,
                          RingPosition position);

/// Waits until no other block has anything left to tell this one, so that it
/// may exit. `position` is that of the next round.
void emitExchangeEnd(const KernelContext &context, mlir::Value warpgroup,
                     RingPosition position);

} // namespace grout::hopper

#endif // GROUT_LIB_CONVERSION_TGEMMTONVVM_EXCHANGE_H
