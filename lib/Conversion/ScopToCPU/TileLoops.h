//===- TileLoops.h - The loops that tiles of a kernel share out -*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_CONVERSION_SCOPTOCPU_TILELOOPS_H
#define GROUT_LIB_CONVERSION_SCOPTOCPU_TILELOOPS_H

#include "grout/Conversion/ScopToLoops/LoopEmitter.h"

namespace grout::scop {

/// The dimensions of the schedule that the tiles of `kernel` share out; none if
/// it has no tiles.
llvm::SmallVector<TileLoop> getTileLoops(KernelOp kernel);

/// Moves the last outer loop of `kernel` into all others if arrays are
/// contiguous along it, and along none of the loops within it: columns that are
/// combined. Its iterations are independent, so that is always legal. `tile`
/// still names the same loops.
void sinkColumns(KernelOp kernel, llvm::MutableArrayRef<TileLoop> tile);

} // namespace grout::scop

#endif // GROUT_LIB_CONVERSION_SCOPTOCPU_TILELOOPS_H
