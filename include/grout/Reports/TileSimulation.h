//===- TileSimulation.h - Modelled times of tiles ---------------*- C++ -*-===//
//
// Part of Grout. A model of how the tiles of a chain run on a target: residents
// claim tiles in tile order, and wait as the chain's policies say.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_REPORTS_TILESIMULATION_H
#define GROUT_REPORTS_TILESIMULATION_H

#include "grout/Dialect/TSync/Transforms/ChainProgram.h"
#include "grout/Target/TargetSpec.h"
#include <vector>

namespace grout {

/// One tile of a simulated run. Times are in microseconds from the start.
struct SimulatedTile {
  unsigned kernel;
  unsigned resident;
  double start;
  double end;
  /// Part of [start, end) that is spent waiting.
  double waited;
};

struct SimulatedRun {
  std::vector<SimulatedTile> tiles;
  unsigned residents = 0;
  /// End of the last tile.
  double end = 0;
  /// The kernels that the tiles belong to, in order.
  std::vector<std::string> kernels;
};

/// Modelled microseconds of one tile of `kernel` that never waits: the longest
/// of its arithmetic and its loads, at its share of the target's rates, and a
/// fixed cost.
double getTileTime(TileKernelOpInterface kernel, const TargetSpec &target);

/// Simulates `chain` with one resident tile for each processor of `target`, or
/// for each cluster of the largest size that a kernel of the chain has. `waits`
/// says when the launch of each kernel waits for those before it; all are
/// `Never`, or none is. A kernel that waits before it starts does so when the
/// one before it has ended, and a launch costs time. Tiles of one that waits
/// before use take processors that the one before leaves idle, and wait there
/// for its end. Else tiles wait for semaphores alone; of a launch that waits
/// before its end, a processor starts a block first when it goes over to it.
/// `program` must have an order, and where tiles wait for tiles one that
/// `tsync-verify` accepts.
llvm::Expected<SimulatedRun> simulate(const tsync::ChainProgram &program,
                                      const TargetSpec &target,
                                      llvm::ArrayRef<tsync::LaunchWait> waits);

} // namespace grout

#endif // GROUT_REPORTS_TILESIMULATION_H
