//===- SchedulingPolicy.cpp - Policies that order launches ----------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Dialect/Launch/Transforms/SchedulingPolicy.h"

#include "BuiltinPolicies.h"
#include "grout/Support/NamedRegistry.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace grout;
using namespace grout::launch;

SchedulingPolicy::~SchedulingPolicy() = default;

static NamedRegistry<SchedulingPolicy> &getPolicies() {
  static NamedRegistry<SchedulingPolicy> policies = [] {
    NamedRegistry<SchedulingPolicy> own;
    own.add(createNimblePolicy());
    own.add(createOparaPolicy());
    own.add(createSerialPolicy());
    own.add(createWavePolicy());
    return own;
  }();
  return policies;
}

void launch::registerSchedulingPolicy(
    std::unique_ptr<SchedulingPolicy> policy) {
  getPolicies().add(std::move(policy));
}

const SchedulingPolicy *launch::lookupSchedulingPolicy(StringRef name) {
  return getPolicies().lookup(name);
}

SmallVector<StringRef> launch::getSchedulingPolicyNames() {
  return getPolicies().getNames();
}

Edge launch::getEarliestEdge(TilesOp launch) {
  auto edges = cast<LaunchOpInterface>(*launch);
  if (!launch.getStartsEarly() || edges.hasEdge(Edge::full))
    return Edge::full;
  // If only its tiles wait, an edge for order alone only holds back its end.
  bool waitsBeforeUse =
      edges.getEdges().empty() || edges.hasEdge(Edge::programmatic);
  return waitsBeforeUse ? Edge::programmatic : Edge::launch_order;
}

/// Whether a launch of another branch may start when `launch` triggers.
static bool letsOtherBranchStart(TilesOp launch) {
  return llvm::any_of(launch.getToken().getUses(), [&](OpOperand &use) {
    auto user = cast<LaunchOpInterface>(use.getOwner());
    if (user.getBranch() == launch.getBranch())
      return false;
    size_t number =
        use.getOperandNumber() - user.getAfter().getBeginOperandIndex();
    return user.getEdges()[number] != static_cast<int32_t>(Edge::full);
  });
}

void launch::orderInSequence(PlanOp plan) {
  // The last launch of each branch.
  llvm::DenseMap<uint64_t, TilesOp> last;
  bool isFirst = true;
  for (auto launch :
       llvm::make_early_inc_range(plan.getBody().front().getOps<TilesOp>())) {
    auto edges = cast<LaunchOpInterface>(*launch);
    Edge edge = getEarliestEdge(launch);
    TilesOp &previous = last[launch.getBranch()];
    if (previous) {
      if (!edges.isAfter(previous.getToken()))
        edges.addEdge(previous.getToken(), edge);
      if (!previous.getTrigger())
        previous.setTrigger(edge == Edge::full &&
                                    !letsOtherBranchStart(previous)
                                ? Trigger::never
                                : Trigger::after_wait);
    } else if (isFirst && launch.getBranch() == 0 && edge != Edge::full) {
      OpBuilder builder(launch);
      Value start = StartOp::create(builder, launch.getLoc());
      edges.addEdge(start, edge);
    }
    previous = launch;
    isFirst = false;
  }
  for (auto launch : plan.getBody().front().getOps<TilesOp>())
    if (!launch.getTrigger() && letsOtherBranchStart(launch))
      launch.setTrigger(Trigger::after_wait);
}
