//===- LaunchGraph.h - A plan as policies see it ----------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_DIALECT_LAUNCH_TRANSFORMS_LAUNCHGRAPH_H
#define GROUT_LIB_DIALECT_LAUNCH_TRANSFORMS_LAUNCHGRAPH_H

#include "grout/Dialect/Launch/IR/Launch.h"

namespace grout::launch {

/// The launches of a plan, numbered in the order of its block, and the edges
/// between them that no other edges imply. The construction takes time, and
/// memory in bits, that grow with the square of the number of launches.
class LaunchGraph {
public:
  /// Adds edges to `plan` that only the order of its block implies so far: from
  /// launches that access a buffer to a later one that writes it, and between
  /// launches that each need several resident tiles.
  explicit LaunchGraph(PlanOp plan);

  size_t size() const { return launches.size(); }
  TilesOp get(unsigned launch) const { return launches[launch]; }
  llvm::ArrayRef<unsigned> getBefore(unsigned launch) const {
    return before[launch];
  }
  llvm::ArrayRef<unsigned> getBehind(unsigned launch) const {
    return behind[launch];
  }

  /// Moves all launches into `order`, sets their branches, and adds edges
  /// between neighbours of a branch. `order` lists each launch after those
  /// before it in the graph. `branches` has the branch of each launch, by its
  /// number.
  void apply(llvm::ArrayRef<unsigned> order,
             llvm::ArrayRef<unsigned> branches) const;

private:
  PlanOp plan;
  llvm::SmallVector<TilesOp> launches;
  llvm::SmallVector<llvm::SmallVector<unsigned, 2>> before, behind;
};

} // namespace grout::launch

#endif // GROUT_LIB_DIALECT_LAUNCH_TRANSFORMS_LAUNCHGRAPH_H
