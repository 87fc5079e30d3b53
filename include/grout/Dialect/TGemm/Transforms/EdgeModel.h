//===- EdgeModel.h - What waiting by tile is worth --------------*- C++ -*-===//
//
// Part of Grout. See docs/CostModel.md.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_DIALECT_TGEMM_TRANSFORMS_EDGEMODEL_H
#define GROUT_DIALECT_TGEMM_TRANSFORMS_EDGEMODEL_H

#include "grout/Dialect/TGemm/IR/TGemm.h"
#include "grout/Target/TargetSpec.h"

namespace grout::tgemm {

/// What changes if the tiles of a kernel wait for tiles, instead of the kernel
/// for launches.
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

  bool isByTile() const { return gain > cost; }
};

/// Models it for `kernel` on `target`, a GPU. Kernels of its block are launched
/// in their order; products have tilings.
EdgeTimes modelEdges(TileKernelOpInterface kernel, const TargetSpec &target);

/// What the next tiles fill of what the last of several waves of `op` leaves
/// unused, in seconds.
double getFilledTime(MatmulOp op, const TargetSpec &target);

} // namespace grout::tgemm

#endif // GROUT_DIALECT_TGEMM_TRANSFORMS_EDGEMODEL_H
