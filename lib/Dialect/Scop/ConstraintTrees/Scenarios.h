//===- Scenarios.h - Ways to share out a group among threads ----*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_DIALECT_SCOP_CONSTRAINTTREES_SCENARIOS_H
#define GROUT_LIB_DIALECT_SCOP_CONSTRAINTTREES_SCENARIOS_H

#include "Sectors.h"

namespace grout::scop {

/// Who does what in a launch.
struct Scenario {
  /// The loops, outermost first.
  llvm::SmallVector<unsigned> outer, inner;
  /// Neighbouring threads go along the last outer or the last inner loop.
  bool isInnerFastest = false;
  /// Iterations of that loop that a thread takes at once.
  int64_t width = 1;
  /// If these are masked, where they lie.
  std::optional<VectorSlots> slots;
  /// Each thread goes through the inner loops alone.
  bool isAlone = false;
  /// Another outer loop, along which reads are dense that jump along the last
  /// one: they go through shared memory, in tiles of both loops.
  std::optional<unsigned> tileLoop;
  /// Bytes that this is worth: those that are needed once, and half of those
  /// that warps move; or more, if instructions take longer.
  double cost = 0;

  unsigned getThreadLoop() const {
    return isInnerFastest ? inner.back() : outer.back();
  }
  /// The loop that threads go on with where that one ends.
  std::optional<unsigned> getNextLoop() const;
};

/// The scenarios of a mappable group with at least one loop, the cheapest on
/// `target` first.
std::vector<Scenario> findScenarios(const KernelModel &model,
                                    const LaunchGroup &group,
                                    const TargetSpec &target);

} // namespace grout::scop

#endif // GROUT_LIB_DIALECT_SCOP_CONSTRAINTTREES_SCENARIOS_H
