//===- EdgeModel.h - What waiting by tile is worth --------------*- C++ -*-===//
//
// Part of Grout. See docs/CostModel.md.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_DIALECT_TGEMM_TRANSFORMS_EDGEMODEL_H
#define GROUT_DIALECT_TGEMM_TRANSFORMS_EDGEMODEL_H

#include "grout/Dialect/TGemm/Transforms/ProductModel.h"
#include <algorithm>

namespace grout::tgemm {

/// What changes if the tiles of a kernel wait for tiles, or if it starts when
/// the launch before has ended, instead of starting early and waiting for that.
struct EdgeTimes {
  /// Seconds that they save, by filling what the last wave of the kernel
  /// launched before leaves unused.
  double gain = 0;
  /// Seconds that waiting for tiles costs.
  double cost = 0;
  /// The kernel launched before, or null; and why nothing is gained by design,
  /// whatever its last wave leaves, if so.
  mlir::Operation *before = nullptr;
  llvm::StringRef obstacle;

  /// Seconds that starting in order saves, if any.
  double inOrderGain = 0;

  bool isByTile() const { return gain > cost && gain - cost > inOrderGain; }
  /// Seconds that the better of both saves, if any.
  double getGain() const { return std::max(gain - cost, inOrderGain); }
};

/// Models it for `kernel` by `model`. Kernels of its block are launched
/// in their order; products have tilings.
EdgeTimes modelEdges(TileKernelOpInterface kernel, const ProductModel &model);

/// Whether any of `ops` is modelled to be faster if it starts in order.
bool anyStartsInOrder(llvm::ArrayRef<ProductOpInterface> ops,
                      const ProductModel &model);

/// What the next tiles fill of what the last of several waves of `op` leaves
/// unused, in seconds.
double getFilledTime(ProductOpInterface op, const ProductModel &model);

} // namespace grout::tgemm

#endif // GROUT_DIALECT_TGEMM_TRANSFORMS_EDGEMODEL_H
