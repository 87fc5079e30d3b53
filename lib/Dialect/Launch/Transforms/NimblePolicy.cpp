//===- NimblePolicy.cpp - Streams as Nimble assigns them ------------------===//
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

/// A largest matching between launches and the launches behind them, by
/// Hopcroft and Karp. In it, each launch has at most one next launch, and is
/// the next of at most one launch.
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
  /// Numbers launches by the length of the shortest path to them that may add a
  /// pair to the matching. Returns whether there is such a path.
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

  /// Adds a pair to the matching along a shortest path from `first`, if there
  /// still is one.
  void augment(unsigned first) {
    // The launches of the path, and for each the next successor to try.
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

/// Schedules as Nimble does. Launches form as few streams as the edges that are
/// not implied allow, and each stream is a path in the graph. So all launches
/// that can run side by side do, with as few waits between streams as possible.
/// Launches keep their order.
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
