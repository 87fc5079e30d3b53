//===- IslSupport.h - Tile kernels as isl sets ------------------*- C++ -*-===//
//
// Part of Grout. For lib/Analysis only.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_ANALYSIS_ISLSUPPORT_H
#define GROUT_LIB_ANALYSIS_ISLSUPPORT_H

#include "IslGuard.h"
#include "grout/Analysis/TileKernel.h"

namespace grout {
namespace detail {

/// A constant, or a parameter named `parameter` if `value` is kDynamic, on
/// `space`.
isl::aff makeSize(const isl::space &space, int64_t value,
                  const std::string &parameter);

/// The points where 0 <= value, and where 0 <= value < size. Aligns parameters.
isl::set whereNotNegative(const isl::aff &value);
isl::set whereInRange(const isl::aff &value, const isl::aff &size);

/// The value of `expr` where dimension i is `dims[i]` and symbol i is
/// `symbols[i]`, all on `space`.
isl::aff toAff(mlir::AffineExpr expr, const isl::space &space,
               llvm::ArrayRef<isl::aff> dims,
               llvm::ArrayRef<isl::aff> symbols = {});

/// { space -> [results...] } of a map without symbols.
isl::map toMap(mlir::AffineMap map, const isl::space &space);

/// { name[tile...] : within the grid }.
isl::set tileSet(isl::ctx ctx, const TileKernel &kernel);
/// { name[tile..., step] : within the grid and the steps }.
isl::set stepSet(isl::ctx ctx, const TileKernel &kernel);
/// { name[tile..., step] -> name[tile...] }.
isl::map stepToTile(isl::ctx ctx, const TileKernel &kernel);

/// See readRelation, writeRelation.
isl::map readMap(isl::ctx ctx, const TileKernel &kernel,
                 const ElementAccess &access);
isl::map writeMap(isl::ctx ctx, const TileKernel &kernel,
                  const ElementAccess &access);

/// See checkSingleWriter, checkAllWritten.
void requireSingleWriter(const isl::map &write);
void requireAllWritten(const isl::map &read, const isl::set &written);

} // namespace detail
} // namespace grout

#endif // GROUT_LIB_ANALYSIS_ISLSUPPORT_H
