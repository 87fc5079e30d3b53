//===- LaunchGraph.h - What policies see of a plan --------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_DIALECT_LAUNCH_TRANSFORMS_LAUNCHGRAPH_H
#define GROUT_LIB_DIALECT_LAUNCH_TRANSFORMS_LAUNCHGRAPH_H

#include "grout/Dialect/Launch/IR/Launch.h"

namespace grout::launch {

/// The launches of a plan by number, in the order of its block, and the edges
/// between them that no others imply. Takes time and memory in the square of
/// the number of launches, in bits.
class LaunchGraph {
public:
  /// Adds edges to `plan` for what only the order of its block says: a launch
  /// that writes what an earlier one accesses, and launches of which each needs
  /// several resident tiles, one after another.
  explicit LaunchGraph(PlanOp plan);

  size_t size() const { return launches.size(); }
  TilesOp get(unsigned launch) const { return launches[launch]; }
  llvm::ArrayRef<unsigned> getBefore(unsigned launch) const {
    return before[launch];
  }
  llvm::ArrayRef<unsigned> getBehind(unsigned launch) const {
    return behind[launch];
  }

  /// Puts the launches into `order`, a list of all, each behind those before
  /// it, on `branches`, one for each launch by its number, and connects
  /// neighbours of each branch.
  void apply(llvm::ArrayRef<unsigned> order,
             llvm::ArrayRef<unsigned> branches) const;

private:
  PlanOp plan;
  llvm::SmallVector<TilesOp> launches;
  llvm::SmallVector<llvm::SmallVector<unsigned, 2>> before, behind;
};

} // namespace grout::launch

#endif // GROUT_LIB_DIALECT_LAUNCH_TRANSFORMS_LAUNCHGRAPH_H
