//===- EdgeModel.h - What the mode of an edge costs -------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_DIALECT_TSYNC_TRANSFORMS_EDGEMODEL_H
#define GROUT_DIALECT_TSYNC_TRANSFORMS_EDGEMODEL_H

#include "grout/Interfaces/TileKernelInterface.h"
#include "grout/Target/Target.h"
#include "mlir/IR/Operation.h"
#include <algorithm>

namespace grout::tsync {

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

/// What a target knows of how kernels wait for each other. On one without it,
/// chains keep the modes that they have.
class EdgeModel : public TargetInterface {
public:
  /// Models it for `kernel`. Kernels of its block are launched in their order;
  /// products have tilings.
  virtual EdgeTimes modelEdges(TileKernelOpInterface kernel) const = 0;
};

} // namespace grout::tsync

#endif // GROUT_DIALECT_TSYNC_TRANSFORMS_EDGEMODEL_H
