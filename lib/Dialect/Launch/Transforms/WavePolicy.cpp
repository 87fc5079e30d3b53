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

/// The largest number of branches. Few kernels leave room for more launches at
/// once, and each branch takes a stream.
static constexpr unsigned kMostBranches = 8;

/// The time of a wait for another branch, besides the launch time, in seconds.
static constexpr double kForkTime = 0.1e-6;

/// How much longer a part of a plan takes in branches than modelled, in
/// seconds. Measured parts of GoogLeNet, Inception-v3 and DeepFM took 1.0 to 2
/// us longer.
static constexpr double kBranchesTime = 1.3e-6;

/// A part of a plan runs in branches if its modelled time is less than this
/// fraction of its time in sequence.
static constexpr double kMargin = 0.99;

namespace {

struct Placement {
  /// The launches in the order in which they start.
  SmallVector<unsigned> order;
  /// The branch of each launch, by its number.
  SmallVector<unsigned> branches;
  /// When the last launch ends, in seconds.
  double end = 0;
};

/// Places one part of a plan: the launches with numbers in [first, end). If
/// there are earlier launches, the last one has ended on branch 0, and all
/// others precede it. Launches that run at once share processors and bandwidth.
/// If they need more of these than there are, all of them take longer.
class PartScheduler {
public:
  PartScheduler(const LaunchGraph &graph, ArrayRef<LaunchCost> costs,
                const TargetSpec &target, unsigned first, unsigned end);

  Placement placeInSequence() const;
  Placement placeInBranches();

private:
  struct Running {
    unsigned launch, branch;
    /// The remaining time of its launch; and the remaining time of its work, if
    /// it had the target to itself. In seconds.
    double launchLeft, workLeft;
  };
  /// The last launch of a branch, if there is one, and when it ended, if it
  /// has.
  struct Branch {
    std::optional<unsigned> last;
    double end = 0;
    bool isBusy = false;
  };
  using Priority = std::pair<double, unsigned>;

  /// Returns the time that `launch` takes besides its work.
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

  /// A lower bound on the seconds from the start of each launch to the end of
  /// the part.
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

/// Returns the speed at which all running launches work, relative to running
/// alone.
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

/// Returns the branch for `launch`. Among its predecessors that are the last of
/// their branches, so that it may start early, it follows the one that ends
/// last. If there is none, it gets a branch where nothing runs.
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
  // The first launch of branch 0 is behind the launch before the part.
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

/// Advances the time to the end of the next launch that ends.
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
  // The launch after the part is on branch 0. Make the branch of the part's
  // last launch branch 0, so that the next launch may start early behind that
  // one.
  unsigned last = placement.branches.back();
  for (unsigned &branch : placement.branches)
    if (branch == last || branch == 0)
      branch = branch == 0 ? last : 0;
  return std::move(placement);
}

/// Returns where the parts of the plan end: behind each launch that no edge
/// passes by, from a launch before it to a launch behind it. A launch that
/// needs no other counts as if it had an edge from the start of the plan. No
/// launch behind the end of a part can run beside a launch before it.
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

/// List scheduling by modelled times along the critical path, for each part of
/// the plan by itself. Of the launches that may start, the one with the longest
/// way to the end comes first. It goes on in the stream of the predecessor that
/// ended last. A part stays in sequence if branches are not modelled to be
/// faster.
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
        if (branches.end + kBranchesTime < kMargin * part.end)
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
