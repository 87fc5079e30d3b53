//===- CutGroups.cpp - Launches that become two ---------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "CutGroups.h"

#include "Scenarios.h"

using namespace mlir;
using namespace grout;
using namespace grout::scop;

/// The cost of a scenario for each byte, if warps move no other bytes: once for
/// memory, and a half for caches.
static constexpr double kCostOfByte = 1.5;

static unsigned getLastPhase(const LaunchGroup &group) {
  unsigned last = 0;
  for (const LaunchGroup::Member &member : group.members)
    last = std::max(last, member.phase);
  return last;
}

/// Returns the seconds that a launch of `group` takes in its best scenario. The
/// group is mappable and has loops.
static double estimateTime(const KernelModel &model, const LaunchGroup &group,
                           const TargetSpec &target) {
  double bytes = findScenarios(model, group, target).front().cost / kCostOfByte;
  return target.launchTime + bytes / target.memoryRate;
}

/// Returns the group of the members whose phase is at most `last`, and that of
/// the others; none if one of the two groups cannot be one launch.
static std::optional<std::pair<LaunchGroup, LaunchGroup>>
cutBehind(const KernelModel &model, const LaunchGroup &group, unsigned last,
          const TargetSpec &target) {
  SmallVector<unsigned> early, late;
  for (const LaunchGroup::Member &member : group.members)
    (member.phase <= last ? early : late).push_back(member.statement);
  std::optional<LaunchGroup> first = formLaunchGroup(model, early, target);
  std::optional<LaunchGroup> second = formLaunchGroup(model, late, target);
  if (!first || !second)
    return std::nullopt;
  return std::pair(std::move(*first), std::move(*second));
}

std::vector<LaunchGroup> scop::cutGroups(const KernelModel &model,
                                         std::vector<LaunchGroup> groups,
                                         const TargetSpec &target) {
  // A CPU has no warps, and its launches cost nothing.
  if (target.code != CodeFormat::PTX)
    return groups;
  std::vector<LaunchGroup> result;
  for (LaunchGroup &group : groups) {
    unsigned lastPhase = group.isMappable ? getLastPhase(group) : 0;
    std::optional<std::pair<LaunchGroup, LaunchGroup>> best;
    // Statements in the inner loops have odd phases. The even phase behind them
    // completes their results. If there is a third phase, both parts of each
    // cut have a statement with inner loops.
    double bestTime = lastPhase > 2 ? estimateTime(model, group, target) : 0;
    for (unsigned last = 2; last < lastPhase; last += 2) {
      auto parts = cutBehind(model, group, last, target);
      if (!parts)
        continue;
      double time = estimateTime(model, parts->first, target) +
                    estimateTime(model, parts->second, target);
      if (time >= bestTime)
        continue;
      bestTime = time;
      best = std::move(parts);
    }
    if (!best) {
      result.push_back(std::move(group));
      continue;
    }
    result.push_back(std::move(best->first));
    result.push_back(std::move(best->second));
  }
  return result;
}
