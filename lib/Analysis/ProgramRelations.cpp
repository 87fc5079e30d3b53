//===- ProgramRelations.cpp - A tile program in isl -----------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "ProgramRelations.h"

#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/SmallSet.h"
#include <isl/space.h>

namespace grout::detail {

/// Returns { kernel[tile..., s] -> kernel[tile..., s'] : the waits of step s'
/// are over when step s reads, or, with `afterSteps`, when the tile reads after
/// its steps }.
static isl::map stepsBefore(isl::ctx ctx, const TileKernel &kernel,
                            bool afterSteps) {
  isl::set steps = stepSet(ctx, kernel);
  isl::map pairs =
      isl::manage(isl_map_from_domain_and_range(steps.copy(), steps.copy()));
  unsigned rank = kernel.grid.size();
  for (unsigned dim = 0; dim < rank; ++dim)
    pairs = isl::manage(
        isl_map_equate(pairs.release(), isl_dim_in, dim, isl_dim_out, dim));
  if (kernel.hasRuns()) {
    isl::val length(ctx, static_cast<long>(*kernel.stepsInOrder));
    isl::aff run = getDims(steps.space())[rank].scale_down(length).floor();
    isl::map runs = isl::multi_aff(run).as_map();
    pairs = pairs.intersect(runs.apply_range(runs.reverse()));
  }
  if (afterSteps)
    return pairs;
  return isl::manage(
      isl_map_order_ge(pairs.release(), isl_dim_in, rank, isl_dim_out, rank));
}

ProgramRelations::ProgramRelations(isl::ctx ctx, const TileProgram &program)
    : ctx(ctx), program(program), launchNumbers(program.getLaunchNumbers()) {}

void ProgramRelations::addRead(unsigned index) {
  const ProgramAccess &read = program.reads[index];
  reads.push_back(readMap(ctx, program.kernels[read.kernel], read.access));
}

void ProgramRelations::addWrite(unsigned index) {
  const ProgramAccess &write = program.writes[index];
  writes.push_back(writeMap(ctx, program.kernels[write.kernel], write.access));
}

void ProgramRelations::addEdge(unsigned index) {
  const SynchronisedEdge &edge = program.edges[index];
  const TileKernel &producer = program.kernels[edge.producer];
  const TileKernel &consumer = program.kernels[edge.consumer];
  isl::map posts = semaphoreMap(ctx, edge.policy, producer);
  isl::map waited = waitMap(ctx, edge.policy, producer, consumer)
                        .apply_range(posts.reverse())
                        .coalesce();
  waitedSteps.push_back(waited);
  waitedTiles.push_back(
      waited.apply_domain(stepToTile(ctx, consumer)).coalesce());
}

bool ProgramRelations::waitsBeforeWrites(unsigned kernel) const {
  const LaunchWaits &launch = program.launches[kernel];
  return launch.atStart || launch.beforeWrites ||
         llvm::any_of(program.reads, [&](const ProgramAccess &read) {
           return read.kernel == kernel && read.waitsForLaunch;
         });
}

bool ProgramRelations::hasEnded(unsigned earlier, unsigned later) const {
  if (earlier >= later || launchNumbers[earlier] == launchNumbers[later])
    return false;
  // A launch that never waits may end before the launches before it do.
  llvm::SmallSet<unsigned, 4> waiting;
  for (unsigned kernel : llvm::seq(earlier + 1, later))
    if (waitsBeforeWrites(kernel) || program.launches[kernel].beforeEnd)
      waiting.insert(launchNumbers[kernel]);
  return llvm::all_of(
      llvm::seq(launchNumbers[earlier] + 1, launchNumbers[later]),
      [&](unsigned launch) { return waiting.contains(launch); });
}

isl::space ProgramRelations::getPairs(unsigned later, unsigned earlier) const {
  auto tiles = [&](unsigned kernel) {
    const TileKernel &tileKernel = program.kernels[kernel];
    return makeSpace(ctx, tileKernel.name, tileKernel.grid.size());
  };
  return isl::manage(isl_space_map_from_domain_and_range(
      tiles(later).release(), tiles(earlier).release()));
}

isl::map ProgramRelations::getTilesBeforeWait(unsigned later,
                                              unsigned earlier) {
  isl::map result = isl::map::empty(getPairs(later, earlier));
  isl::set tiles = tileSet(ctx, program.kernels[later]);
  auto all = [&](unsigned kernel) {
    return isl::manage(isl_map_from_domain_and_range(
        tiles.copy(), tileSet(ctx, program.kernels[kernel]).release()));
  };
  if (hasEnded(earlier, later))
    return all(earlier);
  for (unsigned ended = 0; ended != later; ++ended)
    if (hasEnded(ended, later))
      result =
          result.unite(all(ended).apply_range(getTilesBefore(ended, earlier)));
  return result.coalesce();
}

isl::map ProgramRelations::removeOrderedSteps(isl::map needed,
                                              const ProgramAccess &read,
                                              unsigned producer) {
  unsigned consumer = read.kernel;
  if (!program.launches.empty() &&
      (read.waitsForLaunch || program.launches[consumer].atStart)) {
    isl::map ended = stepToTile(ctx, program.kernels[consumer])
                         .apply_range(getTilesBeforeWait(consumer, producer));
    needed = needed.subtract(ended).coalesce();
    if (needed.is_empty())
      return needed;
  }
  // From cheap to expensive: waits of the step itself, waits of earlier steps,
  // and tiles that come before a tile for which the step waits.
  auto forEdgesIn = [&](auto remove) {
    for (auto [index, edge] : llvm::enumerate(program.edges))
      if (edge.consumer == consumer && !needed.is_empty() &&
          (read.isAfterSteps || !edge.isAfterSteps))
        needed = needed.subtract(remove(index, edge)).coalesce();
  };
  isl::map none = isl::map::empty(needed.space());
  forEdgesIn([&](unsigned index, const SynchronisedEdge &edge) {
    return edge.producer == producer ? waitedSteps[index] : none;
  });
  if (needed.is_empty())
    return needed;
  isl::map ordered =
      stepsBefore(ctx, program.kernels[consumer], read.isAfterSteps);
  forEdgesIn([&](unsigned index, const SynchronisedEdge &edge) {
    return edge.producer == producer ? ordered.apply_range(waitedSteps[index])
                                     : none;
  });
  forEdgesIn([&](unsigned index, const SynchronisedEdge &edge) {
    return ordered.apply_range(waitedSteps[index])
        .apply_range(getTilesBefore(edge.producer, producer));
  });
  return needed;
}

isl::map ProgramRelations::getTilesBefore(unsigned later, unsigned earlier) {
  // In a cycle of kernels, paths that return to a pair whose relation is being
  // computed are left out.
  auto [found, isNew] = before.try_emplace(
      {later, earlier}, isl::map::empty(getPairs(later, earlier)));
  if (!isNew)
    return found->second;
  isl::map result = found->second;
  if (!program.launches.empty() && waitsBeforeWrites(later))
    result = result.unite(getTilesBeforeWait(later, earlier));
  for (auto [index, edge] : llvm::enumerate(program.edges)) {
    if (edge.consumer != later)
      continue;
    if (edge.producer == earlier)
      result = result.unite(waitedTiles[index]);
    result = result.unite(
        waitedTiles[index].apply_range(getTilesBefore(edge.producer, earlier)));
  }
  result = result.coalesce();
  before[{later, earlier}] = result;
  return result;
}

} // namespace grout::detail
