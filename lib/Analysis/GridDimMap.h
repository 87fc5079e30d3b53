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

/// A guess at how one dimension of a producer's grid enters its semaphores: a
/// function from t (dimension 0) to zero or more coordinates. Symbol 0 is the
/// size of the grid dimension, n.
struct GridDimMap {
  /// The coordinates, in t; dense from 0.
  llvm::SmallVector<mlir::AffineExpr> coordinates;
  /// Extent of each coordinate, in n.
  llvm::SmallVector<mlir::AffineExpr> extents;
  /// The tiles with equal coordinates, as a lattice: t = fibre(coordinates...,
  /// j...), for 0 <= j < fibreExtents, if all have equally many.
  mlir::AffineExpr fibre;
  llvm::SmallVector<mlir::AffineExpr> fibreExtents;

  /// { [t] -> [coordinates] } for 0 <= t < n.
  isl::map getMap(isl::ctx ctx, const GridSize &size) const;

  /// Whether the formulas for `fibre` hold, so that every value of the
  /// coordinates has the product of `fibreExtents` tiles. Proved by isl.
  bool hasUniformFibre(isl::ctx ctx, const GridSize &size) const;

  /// The number of values of the coordinates; n must be static.
  int64_t countValues(int64_t size) const;
};

/// Guesses for a dimension. `together` is a relation { [t] -> [t'] } that a map
/// must not separate; constants are read off it. The first guess keeps t, the
/// last one drops it and is always right.
std::vector<GridDimMap> guessGridDimMaps(const isl::map &together,
                                         mlir::MLIRContext *context);

} // namespace grout::detail

#endif // GROUT_LIB_ANALYSIS_GRIDDIMMAP_H
