//===- Scenarios.h - Ways to distribute to threads --------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_DIALECT_SCOP_CONSTRAINTTREES_SCENARIOS_H
#define GROUT_LIB_DIALECT_SCOP_CONSTRAINTTREES_SCENARIOS_H

#include "Sectors.h"

namespace grout::scop {

/// One way to distribute the work of a launch to its threads.
struct Scenario {
  /// The outer loops, and the inner loops, each from the outermost to the
  /// innermost.
  llvm::SmallVector<unsigned> outer, inner;
  /// Whether neighbouring threads go along the last inner loop, and not along
  /// the last outer loop.
  bool isInnerFastest = false;
  /// The number of iterations of that loop that a thread takes at once.
  int64_t width = 1;
  /// The places of these iterations, if they are masked vectors.
  std::optional<VectorSlots> slots;
  /// Whether each thread goes through the inner loops by itself.
  bool isAlone = false;
  /// Another outer loop. Reads that are dense along it, but jump along the last
  /// outer loop, go through shared memory, in tiles of both loops.
  std::optional<unsigned> tileLoop;
  /// The cost, in bytes: the bytes that are needed, each counted once, plus
  /// half of the bytes that warps move; or more, if instructions take longer.
  double cost = 0;

  unsigned getThreadLoop() const {
    return isInnerFastest ? inner.back() : outer.back();
  }
  /// Returns the loop with which threads go on where that loop ends.
  std::optional<unsigned> getNextLoop() const;
};

/// Returns the scenarios of a group, the cheapest on `target` first. The group
/// must be mappable, and have at least one loop.
std::vector<Scenario> findScenarios(const KernelModel &model,
                                    const LaunchGroup &group,
                                    const TargetSpec &target);

} // namespace grout::scop

#endif // GROUT_LIB_DIALECT_SCOP_CONSTRAINTTREES_SCENARIOS_H
