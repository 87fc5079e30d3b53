//===- OparaPolicy.cpp - Streams and order as in Opara --------------------===//
//
// Part of Grout. Z. Chen et al., "Opara: Exploiting Operator Parallelism for
// Expediting DNN Inference on GPUs", IEEE Transactions on Computers 74 (2025),
// algorithms 1 and 2.
//
//===----------------------------------------------------------------------===//

#include "BuiltinPolicies.h"
#include "LaunchCost.h"
#include "LaunchGraph.h"
#include "grout/Runtime/ArtifactLimits.h"

#include <set>

using namespace mlir;
using namespace grout;
using namespace grout::launch;

/// Algorithm 1: a launch takes over the stream of the first launch before it
/// whose stream no other launch has taken over, or else opens a stream. If
/// there are no more streams, it uses one again.
static SmallVector<unsigned> placeOnBranches(const LaunchGraph &graph) {
  SmallVector<unsigned> branches(graph.size());
  SmallVector<bool> isPassedOn(graph.size(), false);
  unsigned opened = 0;
  for (unsigned launch = 0; launch != graph.size(); ++launch) {
    const unsigned *from =
        llvm::find_if(graph.getBefore(launch),
                      [&](unsigned before) { return !isPassedOn[before]; });
    if (from == graph.getBefore(launch).end()) {
      branches[launch] = opened++ % artifact::kMaxBranches;
      continue;
    }
    branches[launch] = branches[*from];
    isPassedOn[*from] = true;
  }
  return branches;
}

/// Algorithm 2: launches that are ready wait in two lists, one for memory-bound
/// and one for arithmetic-bound launches. The lists alternate. From each, the
/// launch with the smallest demand comes first.
static SmallVector<unsigned> orderLaunches(const LaunchGraph &graph,
                                           ArrayRef<LaunchCost> costs) {
  using Demand = std::pair<double, unsigned>;
  std::set<Demand> ready[2];
  SmallVector<size_t> missing;
  auto add = [&](unsigned launch) {
    ready[costs[launch].isMemoryBound].emplace(costs[launch].processors,
                                               launch);
  };
  for (unsigned launch = 0; launch != graph.size(); ++launch) {
    missing.push_back(graph.getBefore(launch).size());
    if (missing.back() == 0)
      add(launch);
  }
  SmallVector<unsigned> order;
  bool takesMemoryBound = false;
  while (!ready[0].empty() || !ready[1].empty()) {
    if (ready[takesMemoryBound].empty())
      takesMemoryBound = !takesMemoryBound;
    unsigned launch = ready[takesMemoryBound].begin()->second;
    ready[takesMemoryBound].erase(ready[takesMemoryBound].begin());
    takesMemoryBound = !takesMemoryBound;
    order.push_back(launch);
    for (unsigned behind : graph.getBehind(launch))
      if (--missing[behind] == 0)
        add(behind);
  }
  return order;
}

namespace {

/// Schedules as Opara's paper says. The demand of a launch is the fraction of
/// the processors that its blocks fill.
class OparaPolicy : public SchedulingPolicy {
public:
  StringRef getName() const override { return "opara"; }
  LogicalResult schedule(PlanOp plan, const TargetSpec &target) const override {
    LaunchGraph graph(plan);
    SmallVector<LaunchCost> costs;
    for (unsigned launch = 0; launch != graph.size(); ++launch)
      costs.push_back(getLaunchCost(graph.get(launch), target));
    graph.apply(orderLaunches(graph, costs), placeOnBranches(graph));
    return success();
  }
};

} // namespace

std::unique_ptr<SchedulingPolicy> launch::createOparaPolicy() {
  return std::make_unique<OparaPolicy>();
}
