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

} // namespace grout

#endif // GROUT_ANALYSIS_TILECOVERAGE_H
