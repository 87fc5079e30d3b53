//===- NimblePolicy.cpp - As Nimble assigns streams -----------------------===//
//
// Part of Grout. W. Kwon et al., "Nimble: Lightweight and Parallel GPU Task
// Scheduling for Deep Learning", NeurIPS 2020, section 4.2.
//
//===----------------------------------------------------------------------===//

#include "BuiltinPolicies.h"
#include "LaunchGraph.h"
#include "grout/Runtime/ArtifactLimits.h"

#include <queue>

using namespace mlir;
using namespace grout;
using namespace grout::launch;

static constexpr unsigned kNobody = ~0u;

namespace {

/// A largest matching between launches and launches behind them, by Hopcroft
/// and Karp: each has at most one next, and is next of at most one.
class LargestMatching {
public:
  explicit LargestMatching(const LaunchGraph &graph)
      : graph(graph), next(graph.size(), kNobody),
        previous(graph.size(), kNobody) {
    while (findLevels())
      for (unsigned launch = 0; launch != graph.size(); ++launch)
        if (next[launch] == kNobody)
          augment(launch);
  }

  unsigned getPrevious(unsigned launch) const { return previous[launch]; }

private:
  /// Whether a path may match one more: numbers launches by the length of the
  /// shortest such path to them.
  bool findLevels() {
    std::queue<unsigned> left;
    levels.assign(graph.size(), kNobody);
    for (unsigned launch = 0; launch != graph.size(); ++launch)
      if (next[launch] == kNobody) {
        levels[launch] = 0;
        left.push(launch);
      }
    bool canGrow = false;
    for (; !left.empty(); left.pop())
      for (unsigned behind : graph.getBehind(left.front())) {
        unsigned other = previous[behind];
        if (other == kNobody) {
          canGrow = true;
        } else if (levels[other] == kNobody) {
          levels[other] = levels[left.front()] + 1;
          left.push(other);
        }
      }
    return canGrow;
  }

  /// Matches `first` along a shortest path, if one is left.
  void augment(unsigned first) {
    // The launches of the path, and where to go on at each.
    SmallVector<std::pair<unsigned, size_t>> path = {{first, 0}};
    while (!path.empty()) {
      auto &[launch, position] = path.back();
      ArrayRef<unsigned> behind = graph.getBehind(launch);
      if (position == behind.size()) {
        levels[launch] = kNobody;
        path.pop_back();
        continue;
      }
      unsigned other = previous[behind[position++]];
      if (other == kNobody)
        break;
      if (levels[other] != kNobody && levels[other] == levels[launch] + 1)
        path.emplace_back(other, 0);
    }
    for (auto [launch, position] : path) {
      next[launch] = graph.getBehind(launch)[position - 1];
      previous[next[launch]] = launch;
    }
  }

  const LaunchGraph &graph;
  SmallVector<unsigned> next, previous, levels;
};

/// As Nimble does: as few streams as edges that are not implied allow, each of
/// which is a path, so that all that can run side by side does, with as few
/// waits between streams as can be. Launches stay in order.
class NimblePolicy : public SchedulingPolicy {
public:
  StringRef getName() const override { return "nimble"; }
  LogicalResult schedule(PlanOp plan, const TargetSpec &) const override {
    LaunchGraph graph(plan);
    LargestMatching matching(graph);
    SmallVector<unsigned> branches(graph.size()), order;
    unsigned opened = 0;
    for (unsigned launch = 0; launch != graph.size(); ++launch) {
      unsigned previous = matching.getPrevious(launch);
      branches[launch] = previous == kNobody ? opened++ % artifact::kMaxBranches
                                             : branches[previous];
      order.push_back(launch);
    }
    graph.apply(order, branches);
    return success();
  }
};

} // namespace

std::unique_ptr<SchedulingPolicy> launch::createNimblePolicy() {
  return std::make_unique<NimblePolicy>();
}
