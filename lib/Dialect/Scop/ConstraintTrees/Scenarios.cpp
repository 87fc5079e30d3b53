//===- Scenarios.cpp - Ways to distribute a group to threads --------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "Scenarios.h"

#include "Instructions.h"
#include "grout/Dialect/Scop/ThreadMapping/ThreadMapping.h"
#include "grout/Target/GPU.h"
#include "llvm/ADT/MapVector.h"
#include <limits>

using namespace mlir;
using namespace grout;
using namespace grout::scop;

std::optional<unsigned> Scenario::getNextLoop() const {
  if (tileLoop)
    return tileLoop;
  const auto &loops = isInnerFastest ? inner : outer;
  if (loops.size() > 1)
    return loops[loops.size() - 2];
  return std::nullopt;
}

/// Returns the loops by their strides in the largest arrays, the largest stride
/// first.
static SmallVector<unsigned> orderLoops(const LaunchGroup &group,
                                        ArrayRef<GroupAccess> accesses) {
  SmallVector<const GroupAccess *> largest;
  for (const GroupAccess &access : accesses)
    largest.push_back(&access);
  llvm::stable_sort(largest, [](const GroupAccess *a, const GroupAccess *b) {
    return std::pair(a->elements * a->access->bytes, a->access->isWrite) >
           std::pair(b->elements * b->access->bytes, b->access->isWrite);
  });
  SmallVector<unsigned> loops =
      llvm::to_vector(llvm::seq<unsigned>(group.extents.size()));
  llvm::stable_sort(loops, [&](unsigned a, unsigned b) {
    for (const GroupAccess *access : largest) {
      int64_t ofA = std::abs(access->getStride(a));
      int64_t ofB = std::abs(access->getStride(b));
      if (ofA != 0 && ofB != 0 && ofA != ofB)
        return ofA > ofB;
    }
    return false;
  });
  return loops;
}

/// Returns the loop along which the access has neighbouring elements, if it has
/// a larger stride along the fastest loop.
static std::optional<unsigned> findDenseLoop(const Scenario &scenario,
                                             const GroupAccess &access) {
  unsigned fastest = scenario.getThreadLoop();
  if (access.access->isWrite || access.getStride(fastest) == 0 ||
      access.getStride(fastest) == 1)
    return std::nullopt;
  for (unsigned loop : scenario.outer)
    if (loop != fastest && access.getStride(loop) == 1)
      return loop;
  return std::nullopt;
}

/// Returns the loop along which the most bytes should be staged.
static std::optional<unsigned> findTileLoop(const Scenario &scenario,
                                            ArrayRef<GroupAccess> accesses) {
  if (!scenario.inner.empty())
    return std::nullopt;
  llvm::SmallMapVector<unsigned, int64_t, 2> bytes;
  for (const GroupAccess &access : accesses)
    if (std::optional<unsigned> loop = findDenseLoop(scenario, access))
      bytes[*loop] += access.points * access.access->bytes;
  std::optional<unsigned> best;
  for (auto [loop, ofLoop] : bytes)
    if (!best || ofLoop > bytes[*best])
      best = loop;
  return best;
}

static double estimateCost(const Scenario &scenario, const KernelModel &model,
                           const LaunchGroup &group,
                           ArrayRef<GroupAccess> accesses,
                           const MemoryBoundConstants &constants) {
  double cost = 0;
  for (const GroupAccess &access : accesses) {
    bool isStaged = scenario.tileLoop &&
                    findDenseLoop(scenario, access) == scenario.tileLoop;
    unsigned loop = scenario.getThreadLoop();
    std::optional<unsigned> next = scenario.getNextLoop();
    int64_t width = scenario.width;
    if (isStaged) {
      std::swap(loop, *next);
      width = 1;
    }
    WarpTraffic traffic = getWarpTraffic(access, group.extents, loop, next,
                                         width, scenario.slots);
    double warps = double(access.points) / (kWarpSize * width);
    double rows = 0;
    if (scenario.slots && access.getStride(loop) != 0) {
      rows = double(access.points) / group.extents[loop];
      warps = rows * scenario.slots->getCount(group.extents[loop]) / kWarpSize;
    }
    double moved = warps * (traffic.sectors * kSectorBytes +
                            traffic.instructions * constants.warpAccessBytes);
    // The elements of a row's first and last slot are stored one by one.
    if (access.access->isWrite)
      moved += std::min(warps, 2 * rows) * width * constants.warpAccessBytes;
    if (isStaged)
      moved += constants.stagingCost * access.points * access.access->bytes;
    cost += double(access.elements) * access.access->bytes + moved / 2;
  }
  if (scenario.isInnerFastest)
    cost = std::max(cost, constants.instructionBytes *
                              countInstructions(model, group, accesses,
                                                scenario, constants));
  return cost;
}

/// Returns how many points a thread may compute at once. If each point is a sum
/// along another loop, a full vector of sums may not fit in registers.
static int64_t getMostAtOnce(const Scenario &scenario) {
  constexpr int64_t mostSums = 8;
  bool sums = scenario.inner.size() > (scenario.isInnerFastest ? 1 : 0);
  return sums ? mostSums : std::numeric_limits<int64_t>::max();
}

/// Whether an access by `map` of `member` moves along with the inner loops. If
/// not, such as that to a constant of each channel, it is one element for all
/// of their iterations.
static bool dependsOnInner(const LaunchGroup &group,
                           const LaunchGroup::Member &member, AffineMap map) {
  return llvm::any_of(llvm::enumerate(member.loops), [&](auto iterator) {
    std::optional<unsigned> loop = iterator.value();
    return loop && !group.isOuter[*loop] &&
           map.isFunctionOfDim(iterator.index());
  });
}

/// Returns how many points a thread may compute at once if it goes through all
/// inner loops by itself. Returns 0 if it should not: the inner loops are long,
/// or several phases go through them.
static int64_t getMostAlone(const KernelModel &model, const LaunchGroup &group,
                            const Scenario &scenario) {
  // A thread may have all of its reads in flight at once, in registers.
  constexpr int64_t mostBytes = 1024, mostSums = 4;
  int64_t points = group.getInnerSize();
  if (scenario.isInnerFastest || scenario.inner.empty() ||
      points > kMostUnrolledRounds)
    return 0;
  std::optional<unsigned> phase;
  int64_t bytes = 0;
  for (const LaunchGroup::Member &member : group.members) {
    if (member.phase % 2 == 0)
      continue;
    if (phase && *phase != member.phase)
      return 0;
    phase = member.phase;
    const StatementModel &statement = model.statements[member.statement];
    StmtOp op = statement.op;
    for (auto [number, array] : llvm::enumerate(op.getReads()))
      if (isa<BlockArgument>(array) && !op.writes(array))
        bytes += (dependsOnInner(group, member, op.getReadMap(number)) ? points
                                                                       : 1) *
                 statement.accesses[number].bytes;
  }
  int64_t most = mostSums;
  while (most * bytes > mostBytes)
    most /= 2;
  return most;
}

/// Returns the scenario with the width, up to `most`, at which it costs least;
/// the widest of equal ones. The scenario has masks if they are worth it.
static Scenario chooseWidth(Scenario scenario, int64_t most,
                            const KernelModel &model, const LaunchGroup &group,
                            ArrayRef<GroupAccess> accesses,
                            const MemoryBoundConstants &constants) {
  Scenario best;
  best.width = 0;
  for (scenario.width =
           std::min(most, findVectorWidth(accesses, group.extents,
                                          scenario.getThreadLoop()));
       scenario.width != 0; scenario.width /= 2) {
    scenario.cost = estimateCost(scenario, model, group, accesses, constants);
    if (best.width == 0 || scenario.cost < best.cost)
      best = scenario;
  }
  if (scenario.tileLoop)
    return best;
  unsigned loop = scenario.getThreadLoop();
  Scenario bestMasked = best;
  bestMasked.cost *= constants.maskedCostLimit;
  for (scenario.width = std::min(most, findFullWidth(accesses, loop));
       scenario.width > 1; scenario.width /= 2) {
    scenario.slots = findSlots(accesses, group, loop, scenario.width);
    scenario.cost = estimateCost(scenario, model, group, accesses, constants);
    if (scenario.cost < bestMasked.cost)
      bestMasked = scenario;
  }
  return bestMasked.slots ? bestMasked : best;
}

std::vector<Scenario> scop::findScenarios(const KernelModel &model,
                                          const LaunchGroup &group,
                                          const TargetSpec &target) {
  std::vector<GroupAccess> accesses = collectAccesses(model, group);
  SmallVector<unsigned> order = orderLoops(group, accesses);
  std::vector<Scenario> scenarios;
  for (unsigned fastest : llvm::reverse(order)) {
    Scenario scenario;
    scenario.isInnerFastest = !group.isOuter[fastest];
    for (unsigned loop : order)
      if (loop != fastest)
        (group.isOuter[loop] ? scenario.outer : scenario.inner).push_back(loop);
    (scenario.isInnerFastest ? scenario.inner : scenario.outer)
        .push_back(fastest);
    if (!scenario.isInnerFastest)
      scenario.tileLoop = findTileLoop(scenario, accesses);
    auto choose = [&](int64_t most) {
      return chooseWidth(scenario, most, model, group, accesses,
                         target.memoryBound);
    };
    if (int64_t most = getMostAlone(model, group, scenario)) {
      scenarios.push_back(choose(most));
      // Needs a warp for each processor. With fewer, more threads work on the
      // inner loops.
      scenarios.back().isAlone =
          group.getOuterSize() >=
          scenarios.back().width * kWarpSize * target.processors;
      if (scenarios.back().isAlone)
        continue;
      scenarios.pop_back();
    }
    scenarios.push_back(choose(getMostAtOnce(scenario)));
  }
  llvm::stable_sort(scenarios, [](const Scenario &a, const Scenario &b) {
    return a.cost < b.cost;
  });
  return scenarios;
}
