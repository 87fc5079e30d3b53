//===- TileCoverage.h - Who writes each element -----------------*- C++ -*-===//
//
// Part of Grout. Proves that the tiles of a kernel write what they promise.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_ANALYSIS_TILECOVERAGE_H
#define GROUT_ANALYSIS_TILECOVERAGE_H

#include "grout/Analysis/TileKernel.h"
#include "llvm/Support/Error.h"

namespace grout {

/// Shows that every element of the tensor, of a static shape, is written by
/// exactly one tile of `kernel`; by at most one if it `updatesOthers`, as the
/// others then keep what they were. Fails with UnwrittenElement or DoubleWrite,
/// naming an element. Boxes that lie side by side take no integer sets.
llvm::Error checkCoverage(const TileKernel &kernel, const ElementAccess &write,
                          bool updatesOthers);

/// Shows that no tile of `kernel` reads an element by `read` that another tile
/// writes by `write`: both are of one memory, as of a result that updates an
/// operand, and tiles run in any order. Fails with OverwrittenRead, naming
/// two tiles.
llvm::Error checkUpdate(const TileKernel &kernel, const ElementAccess &write,
                        const ElementAccess &read);

} // namespace grout

#endif // GROUT_ANALYSIS_TILECOVERAGE_H
