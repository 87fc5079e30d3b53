//===- TileLoops.h - Loops of a kernel's tiles ------------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_CONVERSION_SCOPTOCPU_TILELOOPS_H
#define GROUT_LIB_CONVERSION_SCOPTOCPU_TILELOOPS_H

#include "grout/Conversion/ScopToLoops/LoopEmitter.h"

namespace grout::scop {

/// Returns the dimensions of the schedule that are distributed to tiles of
/// `kernel`; none if it has no tiles.
llvm::SmallVector<TileLoop> getTileLoops(KernelOp kernel);

/// Moves the last outer loop of `kernel` inside of all others if arrays are
/// contiguous along it, and not along the loops inside of it, as in reductions
/// of columns. Its iterations are independent, so this is always legal. `tile`
/// still refers to the same loops afterwards.
void sinkColumns(KernelOp kernel, llvm::MutableArrayRef<TileLoop> tile);

} // namespace grout::scop

#endif // GROUT_LIB_CONVERSION_SCOPTOCPU_TILELOOPS_H
