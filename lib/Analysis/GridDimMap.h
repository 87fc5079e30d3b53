//===- GridDimMap.h - Semaphores of one grid dimension ----------*- C++ -*-===//
//
// Part of Grout. For lib/Analysis only.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_ANALYSIS_GRIDDIMMAP_H
#define GROUT_LIB_ANALYSIS_GRIDDIMMAP_H

#include "TileKernelSets.h"
#include "mlir/IR/AffineExpr.h"
#include <vector>

namespace grout::detail {

/// The number of tiles in one dimension: static, or a parameter.
struct GridSize {
  int64_t value;
  std::string parameter;

  bool isDynamic() const { return mlir::ShapedType::isDynamic(value); }
  isl::aff on(const isl::space &space) const {
    return makeSize(space, value, parameter);
  }
};

/// A guess at how one dimension of a producer's grid determines its semaphores:
/// a function from t (dimension 0) to zero or more coordinates. Symbol 0 is the
/// size n of the grid dimension.
struct GridDimMap {
  /// The coordinates, as functions of t. Their values are dense from 0.
  llvm::SmallVector<mlir::AffineExpr> coordinates;
  /// The extent of each coordinate, as a function of n.
  llvm::SmallVector<mlir::AffineExpr> extents;
  /// The tiles with equal coordinates as a lattice, if all coordinates have
  /// equally many tiles: t = fibre(coordinates..., j...), for 0 <= j <
  /// fibreExtents.
  mlir::AffineExpr fibre;
  llvm::SmallVector<mlir::AffineExpr> fibreExtents;

  /// Returns { [t] -> [coordinates] } for 0 <= t < n.
  isl::map getMap(isl::ctx ctx, const GridSize &size) const;

  /// Whether the formulas for `fibre` hold, so that the product of
  /// `fibreExtents` is the number of tiles for every value of the coordinates.
  /// isl proves this.
  bool hasUniformFibre(isl::ctx ctx, const GridSize &size) const;

  /// Returns the number of values of the coordinates. n must be static.
  int64_t countValues(int64_t size) const;
};

/// Returns guesses for a dimension. `together` is a relation { [t] -> [t'] }
/// that a map must not separate, and from which constants are taken. The first
/// guess keeps t. The last one drops t, and is always right.
std::vector<GridDimMap> guessGridDimMaps(const isl::map &together,
                                         mlir::MLIRContext *context);

} // namespace grout::detail

#endif // GROUT_LIB_ANALYSIS_GRIDDIMMAP_H
