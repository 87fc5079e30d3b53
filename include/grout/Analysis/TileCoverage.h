//===- TileCoverage.h - Checks who writes each element ----------*- C++ -*-===//
//
// Part of Grout. Proves that the tiles of a kernel write exactly the elements
// that the kernel promises.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_ANALYSIS_TILECOVERAGE_H
#define GROUT_ANALYSIS_TILECOVERAGE_H

#include "grout/Analysis/TileKernel.h"
#include "llvm/Support/Error.h"

namespace grout {

/// Proves that exactly one tile of `kernel` writes each element of the tensor,
/// whose shape is static. With `updatesOthers`, proves that at most one tile
/// does; the other elements keep their values. Fails with UnwrittenElement or
/// DoubleWrite, and names an element. Boxes that lie side by side are checked
/// without integer sets.
llvm::Error checkCoverage(const TileKernel &kernel, const ElementAccess &write,
                          bool updatesOthers);

/// Proves that no tile of `kernel` reads, by `read`, an element that another
/// tile writes, by `write`. Both accesses are to the same memory, as for a
/// result that updates an operand, and tiles run in any order. Fails with
/// OverwrittenRead, and names two tiles.
llvm::Error checkUpdate(const TileKernel &kernel, const ElementAccess &write,
                        const ElementAccess &read);

} // namespace grout

#endif // GROUT_ANALYSIS_TILECOVERAGE_H
