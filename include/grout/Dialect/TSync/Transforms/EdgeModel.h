//===- EdgeModel.h - The cost of an edge's mode -----------------*- C++ -*-===//
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

/// How the time changes if the tiles of a kernel wait for tiles, or if the
/// kernel starts when the launch before has ended. Both are compared with a
/// kernel that starts early and waits for the launch before.
struct EdgeTimes {
  /// Seconds that waits for tiles save, because tiles run on processors that
  /// the last wave of the kernel before leaves idle.
  double gain = 0;
  /// Seconds that waits for tiles cost.
  double cost = 0;
  /// The kernel launched before, or null; and the reason if waits for tiles
  /// cannot save time, whatever the last wave of that kernel leaves idle.
  mlir::Operation *before = nullptr;
  llvm::StringRef obstacle;

  /// Seconds that starting in order saves, if any.
  double inOrderGain = 0;

  bool isByTile() const { return gain > cost && gain - cost > inOrderGain; }
  /// Returns the seconds that the better choice saves, if any.
  double getGain() const { return std::max(gain - cost, inOrderGain); }
};

/// A target's model of how kernels wait for each other. On a target without
/// this model, chains keep their modes.
class EdgeModel : public TargetInterface {
public:
  /// Models the edges to `kernel`. The kernels of its block are launched in the
  /// order of the block, and GEMMs must have tilings.
  virtual EdgeTimes modelEdges(TileKernelOpInterface kernel) const = 0;
};

} // namespace grout::tsync

#endif // GROUT_DIALECT_TSYNC_TRANSFORMS_EDGEMODEL_H
