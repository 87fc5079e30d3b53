//===- Exchange.h - Sums over the blocks of a cluster -----------*- C++ -*-===//
//
// Part of Grout. Each block of a split-K tile has partial sums of all elements
// of the tile. After a reduce-scatter, each block has the complete sums of one
// part of the columns. Block `s` of `S` sends every other block the part that
// the other block completes, and adds the sums that it receives to its own.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_HOPPER_GEMM_EXCHANGE_H
#define GROUT_LIB_HOPPER_GEMM_EXCHANGE_H

#include "MainLoop.h"
#include "grout/Hopper/Gemm/GemmContext.h"

namespace grout::hopper {

/// Replaces the accumulators of `products`: afterwards, they have only the MMA
/// columns that this block completes, summed over the cluster. Uses the buffer
/// for partial sums in the round of `position`. Returns the position of the
/// next round.
RingPosition emitExchange(const GemmContext &context, const BodyPlan &body,
                          mlir::Value warpgroup, TileProducts &products,
                          RingPosition position);

/// Waits until the other blocks have read all sums that this block sent, so
/// that they send no more arrivals and this block may exit. `position` is that
/// of the next round.
void emitExchangeEnd(const GemmContext &context, mlir::Value warpgroup,
                     RingPosition position);

} // namespace grout::hopper

#endif // GROUT_LIB_HOPPER_GEMM_EXCHANGE_H
