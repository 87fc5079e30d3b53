//===- WavePolicy.cpp - Launches side by side where that is faster --------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "BuiltinPolicies.h"
#include "LaunchCost.h"
#include "LaunchGraph.h"
#include "llvm/Support/DebugLog.h"
#include "llvm/Support/Format.h"

#include <queue>

#define DEBUG_TYPE "launch-schedule"

using namespace mlir;
using namespace grout;
using namespace grout::launch;

/// Launches that run at once at most. Few kernels leave room for more, and each
/// branch takes a stream.
static constexpr unsigned kMostBranches = 8;

/// What a wait for another branch takes besides a launch, in seconds.
static constexpr double kForkTime = 0.1e-6;

/// A part of a plan runs in branches if it is modelled to take less than this
/// share of the time that it takes without.
static constexpr double kMargin = 0.99;

namespace {

struct Placement {
  /// The launches in the order in which they start.
  SmallVector<unsigned> order;
  /// The branch of each, by its number.
  SmallVector<unsigned> branches;
  /// When the last one ends, in seconds.
  double end = 0;
};

/// Places the launches with the numbers from `first` to before `end`, behind a
/// launch on branch 0 that has ended, if there is any, which all other earlier
/// ones precede. Those that run at once share processors and bandwidth, and all
/// take longer where they need more of these than there are.
class PartScheduler {
public:
  PartScheduler(const LaunchGraph &graph, ArrayRef<LaunchCost> costs,
                const TargetSpec &target, unsigned first, unsigned end);

  Placement placeInSequence() const;
  Placement placeInBranches();

private:
  struct Running {
    unsigned launch, branch;
    /// What is left of its launch and, had it the target to itself, of its
    /// work, in seconds.
    double launchLeft, workLeft;
  };
  /// The last launch of a branch, if it has any, and when that has ended, if it
  /// has.
  struct Branch {
    std::optional<unsigned> last;
    double end = 0;
    bool isBusy = false;
  };
  using Priority = std::pair<double, unsigned>;

  /// What `launch` takes besides its work.
  double getLaunchTime(unsigned launch) const {
    double gain =
        graph.get(launch).getStartsEarly() ? target.earlyLaunchGain : 0;
    return std::max(0.0, target.launchTime - gain);
  }
  bool isInPart(unsigned launch) const {
    return launch >= first && launch < end;
  }
  const LaunchCost &getCost(unsigned launch) const { return costs[launch]; }
  void rankLaunches();
  double getRate() const;
  unsigned chooseBranch(unsigned launch) const;
  void start(unsigned launch);
  void endNext();

  const LaunchGraph &graph;
  ArrayRef<LaunchCost> costs;
  const TargetSpec &target;
  unsigned first, end;

  /// Seconds from the start of each launch to the end of the part, at least.
  SmallVector<double> ranks;
  SmallVector<unsigned> missing;
  std::priority_queue<Priority> ready;
  SmallVector<Running, kMostBranches> running;
  std::array<Branch, kMostBranches> branches;
  double now = 0;
  Placement placement;
};

} // namespace

PartScheduler::PartScheduler(const LaunchGraph &graph,
                             ArrayRef<LaunchCost> costs,
                             const TargetSpec &target, unsigned first,
                             unsigned end)
    : graph(graph), costs(costs), target(target), first(first), end(end) {}

Placement PartScheduler::placeInSequence() const {
  Placement sequence;
  for (unsigned launch = first; launch != end; ++launch) {
    sequence.order.push_back(launch);
    sequence.branches.push_back(0);
    sequence.end += getLaunchTime(launch) + getCost(launch).seconds;
  }
  return sequence;
}

void PartScheduler::rankLaunches() {
  ranks.resize(end - first);
  for (unsigned launch = end; launch-- != first;) {
    double behind = 0;
    for (unsigned other : graph.getBehind(launch))
      if (isInPart(other))
        behind = std::max(behind, ranks[other - first]);
    ranks[launch - first] =
        getLaunchTime(launch) + getCost(launch).seconds + behind;
  }
}

/// How fast all launches that run do their work.
double PartScheduler::getRate() const {
  double processors = 0, bandwidth = 0;
  for (const Running &one : running) {
    if (one.launchLeft > 0)
      continue;
    processors += getCost(one.launch).processors;
    bandwidth += getCost(one.launch).bandwidth;
  }
  return 1 / std::max({1.0, processors, bandwidth});
}

/// The branch of the launch before it that ends last and is the last of its
/// branch, so that it may start early; else one where nothing runs.
unsigned PartScheduler::chooseBranch(unsigned launch) const {
  std::optional<unsigned> best;
  for (unsigned branch = 0; branch != kMostBranches; ++branch)
    if (branches[branch].last &&
        llvm::is_contained(graph.getBefore(launch), *branches[branch].last) &&
        (!best || branches[branch].end > branches[*best].end))
      best = branch;
  if (best)
    return *best;
  for (unsigned branch = 0; branch != kMostBranches; ++branch)
    if (!branches[branch].isBusy)
      return branch;
  llvm_unreachable("more launches run than there are branches");
}

void PartScheduler::start(unsigned launch) {
  unsigned chosen = chooseBranch(launch);
  Branch &branch = branches[chosen];
  // The first one of branch 0 is behind the launch before the part.
  bool waitsForOthers =
      (chosen != 0 && !branch.last) ||
      llvm::any_of(graph.getBefore(launch), [&](unsigned before) {
        return isInPart(before) && placement.branches[before - first] != chosen;
      });
  branch.last = launch;
  branch.isBusy = true;
  placement.order.push_back(launch);
  placement.branches[launch - first] = chosen;
  running.push_back({launch, chosen,
                     getLaunchTime(launch) + (waitsForOthers ? kForkTime : 0),
                     getCost(launch).seconds});
}

/// Goes on to when the next launch ends.
void PartScheduler::endNext() {
  while (true) {
    double rate = getRate();
    auto getLeft = [&](const Running &one) {
      return one.launchLeft > 0 ? one.launchLeft : one.workLeft / rate;
    };
    Running *next = llvm::min_element(
        running, [&](const Running &one, const Running &other) {
          return getLeft(one) < getLeft(other);
        });
    double step = getLeft(*next);
    now += step;
    bool hasEnded = next->launchLeft <= 0;
    for (Running &one : running) {
      if (one.launchLeft > 0)
        one.launchLeft = &one == next ? 0 : one.launchLeft - step;
      else
        one.workLeft -= step * rate;
    }
    if (!hasEnded)
      continue;
    unsigned launch = next->launch;
    branches[next->branch].end = now;
    branches[next->branch].isBusy = false;
    running.erase(next);
    placement.end = now;
    for (unsigned behind : graph.getBehind(launch))
      if (isInPart(behind) && --missing[behind - first] == 0)
        ready.emplace(ranks[behind - first], behind);
    return;
  }
}

Placement PartScheduler::placeInBranches() {
  rankLaunches();
  placement.branches.resize(end - first);
  for (unsigned launch = first; launch != end; ++launch) {
    missing.push_back(
        llvm::count_if(graph.getBefore(launch),
                       [&](unsigned before) { return isInPart(before); }));
    if (missing.back() == 0)
      ready.emplace(ranks[launch - first], launch);
  }
  while (!ready.empty() || !running.empty()) {
    while (!ready.empty() && running.size() < kMostBranches) {
      start(ready.top().second);
      ready.pop();
    }
    endNext();
  }
  // What follows is on branch 0, and may start early behind its last launch.
  unsigned last = placement.branches.back();
  for (unsigned &branch : placement.branches)
    if (branch == last || branch == 0)
      branch = branch == 0 ? last : 0;
  return std::move(placement);
}

/// Where the parts of the plan end: behind each launch that no edge passes by,
/// as one from the start of the plan does to each that needs no other. Nothing
/// behind it can run beside anything before it.
static SmallVector<unsigned> findPartEnds(const LaunchGraph &graph) {
  SmallVector<unsigned> ends;
  unsigned furthest = 0;
  for (unsigned launch = 0; launch != graph.size(); ++launch)
    if (graph.getBefore(launch).empty())
      furthest = launch;
  for (unsigned launch = 0; launch != graph.size(); ++launch) {
    if (furthest <= launch)
      ends.push_back(launch + 1);
    for (unsigned behind : graph.getBehind(launch))
      furthest = std::max(furthest, behind);
  }
  if (ends.empty() || ends.back() != graph.size())
    ends.push_back(graph.size());
  return ends;
}

namespace {

/// List scheduling along the critical path of modelled times, of each part of
/// the plan by itself: of the launches that may start, the one with the longest
/// way to the end is first, and goes on in the stream of the one before it that
/// ended last. Parts that are not modelled to be faster so stay in sequence.
class WavePolicy : public SchedulingPolicy {
public:
  StringRef getName() const override { return "wave"; }
  LogicalResult schedule(PlanOp plan, const TargetSpec &target) const override {
    if (target.code == CodeFormat::Native) {
      orderInSequence(plan);
      return success();
    }
    LaunchGraph graph(plan);
    SmallVector<LaunchCost> costs;
    for (unsigned launch = 0; launch != graph.size(); ++launch)
      costs.push_back(getLaunchCost(graph.get(launch), target));
    Placement all;
    unsigned first = 0;
    for (unsigned end : findPartEnds(graph)) {
      PartScheduler scheduler(graph, costs, target, first, end);
      Placement part = scheduler.placeInSequence();
      if (end - first > 1) {
        Placement branches = scheduler.placeInBranches();
        LDBG() << "launches " << first << " to " << end - 1 << ": "
               << llvm::format("%.2f us in sequence, %.2f us in branches",
                               part.end * 1e6, branches.end * 1e6);
        if (branches.end < kMargin * part.end)
          part = std::move(branches);
      }
      llvm::append_range(all.order, part.order);
      llvm::append_range(all.branches, part.branches);
      first = end;
    }
    graph.apply(all.order, all.branches);
    return success();
  }
};

} // namespace

std::unique_ptr<SchedulingPolicy> launch::createWavePolicy() {
  return std::make_unique<WavePolicy>();
}
