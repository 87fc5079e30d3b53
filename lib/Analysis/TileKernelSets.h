//===- TileKernelSets.h - Tile kernels as isl sets --------------*- C++ -*-===//
//
// Part of Grout. For lib/Analysis only.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_ANALYSIS_TILEKERNELSETS_H
#define GROUT_LIB_ANALYSIS_TILEKERNELSETS_H

#include "grout/Analysis/TileKernel.h"
#include "grout/Isl/AffineSets.h"

namespace grout {
namespace detail {

/// Returns { name[tile...] : within the grid }.
isl::set tileSet(isl::ctx ctx, const TileKernel &kernel);
/// Returns { name[tile..., step] : within the grid and the steps }.
isl::set stepSet(isl::ctx ctx, const TileKernel &kernel);
/// Returns { name[tile..., step] -> name[tile...] }.
isl::map stepToTile(isl::ctx ctx, const TileKernel &kernel);

/// See readRelation, writeRelation.
isl::map readMap(isl::ctx ctx, const TileKernel &kernel,
                 const ElementAccess &access);
isl::map writeMap(isl::ctx ctx, const TileKernel &kernel,
                  const ElementAccess &access);

/// See checkSingleWriter, checkAllWritten.
void requireSingleWriter(const isl::map &write);
void requireAllWritten(const isl::map &read, const isl::set &written);
/// If there are any `pairs`, fails with OverwrittenRead, and names two tiles.
/// The first tile of a pair reads elements that the second one writes.
void requireNoOverwrite(const isl::map &pairs);
/// If `write` leaves out any element of a tensor of `shape`, fails with
/// UnwrittenElement, and names an element.
void requireAllElementsWritten(const isl::map &write,
                               llvm::ArrayRef<int64_t> shape);

} // namespace detail
} // namespace grout

#endif // GROUT_LIB_ANALYSIS_TILEKERNELSETS_H
