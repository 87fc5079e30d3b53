//===- EarlyTriggers.cpp - Launches that trigger before waiting -----------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "EarlyTriggers.h"

#include "grout/Dialect/Launch/IR/BufferParts.h"
#include "grout/Dialect/Launch/IR/LaunchOrder.h"
#include "grout/Dialect/Scop/IR/Scop.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "launch-schedule"

using namespace mlir;
using namespace grout;
using namespace grout::launch;

static bool isMemoryBound(TilesOp launch) {
  return llvm::all_of(launch.getKernels(), [](TileKernelOpInterface kernel) {
    return isa<scop::KernelOp>(*kernel);
  });
}

/// Whether `launch` waits for the work before the plan. No launch after it may
/// start before that work has ended.
static bool isBehindStart(TilesOp launch) {
  return llvm::any_of(launch.getAfter(), [](Value token) {
    return isa<StartOp>(token.getDefiningOp());
  });
}

/// Returns the first launch after `launch` by an edge, if that launch starts
/// early, waits only for `launch`, after its early reads, and precedes all
/// other launches that have an edge from `launch`; else null.
static TilesOp getFollower(TilesOp launch, LaunchOrder &order) {
  SmallVector<TilesOp> users;
  for (Operation *user : launch.getToken().getUsers())
    users.push_back(cast<TilesOp>(user));
  auto comesFirst = [](TilesOp a, TilesOp b) { return a->isBeforeInBlock(b); };
  auto first = llvm::min_element(users, comesFirst);
  if (first == users.end() || first->getEdges().size() != 1 ||
      first->getTrigger() == Trigger::at_entry ||
      !cast<LaunchOpInterface>(**first).hasEdge(Edge::programmatic))
    return {};
  bool isOnly = llvm::all_of(users, [&](TilesOp user) {
    return user == *first || order.endsBefore(*first, user);
  });
  return isOnly ? *first : TilesOp();
}

/// Whether `follower` has early reads if `launch` triggers before it waits, and
/// has as many as if `launch` triggers afterwards. For that, the writers of
/// these inputs must have ended when `launch` starts.
static bool losesNothing(TilesOp launch, TilesOp follower, LaunchOrder &order) {
  SmallVector<TilesOp> before;
  for (Operation *op = launch->getPrevNode(); op; op = op->getPrevNode())
    if (auto earlier = dyn_cast<TilesOp>(op))
      before.push_back(earlier);
  bool loadsAny = false;
  for (Value input : follower.getInputs()) {
    auto writes = [&](TilesOp writer) {
      return llvm::any_of(writer.getOutputs(), [&](Value output) {
        return mayOverlap(output, input);
      });
    };
    // `follower` waits for these writers in any case.
    if (writes(launch) || writes(follower))
      continue;
    for (TilesOp earlier : before)
      if (writes(earlier) && !order.hasEndedAtStart(earlier, launch))
        return false;
    loadsAny = true;
  }
  return loadsAny;
}

void launch::setEarlyTriggers(PlanOp plan) {
  LaunchOrder order(plan);
  for (auto launch : plan.getBody().front().getOps<TilesOp>()) {
    auto edges = cast<LaunchOpInterface>(*launch);
    if (launch.getTrigger() != Trigger::after_wait || !isMemoryBound(launch) ||
        !edges.hasEdge(Edge::programmatic) || isBehindStart(launch))
      continue;
    TilesOp follower = getFollower(launch, order);
    if (!follower || isMemoryBound(follower) ||
        !losesNothing(launch, follower, order))
      continue;
    launch.setTrigger(Trigger::before_wait);
    LDBG() << launch.getName() << " lets " << follower.getName()
           << " load ahead before it waits";
  }
}
