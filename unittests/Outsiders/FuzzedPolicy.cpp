//===- FuzzedPolicy.cpp - Policies that do anything to plans --------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "FuzzedPolicy.h"

#include "grout/Dialect/TSync/IR/TSync.h"
#include <random>

using namespace mlir;
using namespace grout;
using namespace grout::launch;
using namespace grout::test;

static void dropEdges(TilesOp launch) {
  launch.getAfterMutable().clear();
  launch.setEdges({});
}

/// Makes `launch` wait for all of `other`.
static void addEdge(TilesOp launch, TilesOp other) {
  SmallVector<int32_t> edges(launch.getEdges());
  edges.push_back(static_cast<int32_t>(Edge::full));
  launch.getAfterMutable().append(other.getToken());
  launch.setEdges(edges);
}

/// Puts `launch` before `other`, which comes earlier, and drops the edges that
/// this would turn around.
static void moveBefore(PlanOp plan, TilesOp launch, TilesOp other) {
  for (auto tiles : plan.getBody().front().getOps<TilesOp>())
    dropEdges(tiles);
  launch->moveBefore(other);
}

/// The first wait or post of the body of `launch`, if it has one.
static Operation *findSync(TilesOp launch) {
  for (Operation &op : launch.getBody().front())
    if (isa<tsync::WaitTilesOp, tsync::PostTilesOp>(op))
      return &op;
  return nullptr;
}

/// Gives the tiles of later kernels earlier times.
static void reverseOrder(TilesOp launch) {
  if (std::optional<ArrayAttr> order = launch.getOrder()) {
    SmallVector<Attribute> maps(llvm::reverse(*order));
    launch.setOrderAttr(ArrayAttr::get(launch.getContext(), maps));
  }
}

/// Erases all ops of `plan`, or those launches.
static void eraseAll(PlanOp plan, bool keepsBuffers) {
  for (Operation &op :
       llvm::make_early_inc_range(llvm::reverse(plan.getBody().front()))) {
    if (keepsBuffers && !isa<TilesOp>(op))
      continue;
    op.dropAllUses();
    op.erase();
  }
}

bool test::leavesPlanWhole(Action action) {
  switch (action) {
  case Action::EraseWithUses:
  case Action::LoseOperand:
  case Action::LoseEdgeKinds:
  case Action::ErasePlan:
  case Action::EmptyPlan:
  case Action::EraseBlock:
  case Action::ReplacePlan:
  case Action::MoveInto:
  case Action::EraseKernel:
  case Action::EraseYield:
  case Action::LoseKernelOperand:
    return false;
  default:
    return true;
  }
}

void test::act(Action action, PlanOp plan, TilesOp first, TilesOp second) {
  OpBuilder builder(first);
  switch (action) {
  case Action::Nothing:
  case Action::Fail:
    return;
  case Action::Erase:
    first.getToken().replaceAllUsesWith(
        StartOp::create(builder, first.getLoc()).getToken());
    return first.erase();
  case Action::EraseWithUses:
    first->dropAllUses();
    return first.erase();
  case Action::Duplicate:
    builder.setInsertionPointAfter(second);
    builder.clone(*first);
    return;
  case Action::Replace: {
    Operation *copy = builder.clone(*first);
    first.getToken().replaceAllUsesWith(copy->getResult(0));
    return first.erase();
  }
  case Action::Move:
    return moveBefore(plan, second, first);
  case Action::MoveAlone:
    return second->moveBefore(first);
  case Action::DropEdges:
    return dropEdges(second);
  case Action::SetBranch:
    return second.setBranch(first.getBranch() + 1);
  case Action::SetBranchTooFar:
    return second.setBranch(1 << 20);
  case Action::AddEdge:
    return addEdge(second, first);
  case Action::AddEdgeBack:
    return addEdge(first, second);
  case Action::SwapInputs: {
    SmallVector<Value> inputs = llvm::to_vector(first.getInputs());
    std::swap(inputs.front(), inputs.back());
    return first.getInputsMutable().assign(inputs);
  }
  case Action::ChangeInput:
    return second.getInputsMutable()[0].set(plan.getBody().getArgument(0));
  case Action::ChangeOutput:
    return second.getOutputsMutable()[0].set(first.getOutputs()[0]);
  case Action::ChangeBody: {
    Operation *kernel = first.getKernels().front();
    unsigned last = kernel->getNumOperands() - 1;
    Value lhs = kernel->getOperand(0);
    kernel->setOperand(0, kernel->getOperand(last));
    return kernel->setOperand(last, lhs);
  }
  case Action::ChangeBuffer:
    for (auto buffer : plan.getBody().front().getOps<BufferOp>())
      buffer.setName("other");
    return;
  case Action::EraseSync:
    if (Operation *sync = findSync(first))
      sync->erase();
    return;
  case Action::DuplicateSync:
    if (Operation *sync = findSync(first)) {
      builder.setInsertionPointAfter(sync);
      builder.clone(*sync);
    }
    return;
  case Action::ReverseOrder:
    return reverseOrder(first);
  case Action::Rename:
    return first.setName("other");
  case Action::RenamePlan:
    return plan.setName("other");
  case Action::AddBuffer:
    BufferOp::create(builder, first.getLoc(), first.getOutputs()[0].getType(),
                     builder.getStringAttr("more"), ElementsAttr());
    return;
  case Action::SetTrigger:
    return first.setTrigger(Trigger::never);
  case Action::SetResidents:
    return first.setResidents(2);
  case Action::LoseOperand:
    return second->getOpOperand(0).drop();
  case Action::LoseEdgeKinds:
    return second.setEdges({});
  case Action::ErasePlan:
    return plan.erase();
  case Action::EmptyPlan:
    return eraseAll(plan, /*keepsBuffers=*/false);
  case Action::EraseBlock:
    return plan.getBody().getBlocks().clear();
  case Action::EraseAll:
    return eraseAll(plan, /*keepsBuffers=*/true);
  case Action::ReplacePlan:
    builder.setInsertionPoint(plan);
    builder.clone(*plan);
    return plan.erase();
  case Action::ChangeOther:
    for (auto other : plan->getParentRegion()->getOps<PlanOp>())
      if (other != plan)
        other.setName("other");
    return;
  case Action::AddBeside:
    builder.setInsertionPoint(plan);
    cast<PlanOp>(builder.clone(*plan)).setName("beside");
    return;
  case Action::AddOp:
    UnrealizedConversionCastOp::create(builder, first.getLoc(),
                                       builder.getIndexType(), ValueRange());
    return;
  case Action::MoveInto:
    return first == second ? void()
                           : second->moveBefore(first.getKernels().front());
  case Action::EraseKernel:
    first.getKernels().front()->dropAllUses();
    return first.getKernels().front()->erase();
  case Action::EraseYield:
    return first.getBody().front().getTerminator()->erase();
  case Action::LoseKernelOperand:
    return first.getKernels().front()->getOpOperand(0).drop();
  case Action::ChangeType:
    return first->getResult(0).setType(builder.getIndexType());
  case Action::ChangeArgument:
    plan.getBody().addArgument(builder.getIndexType(), plan.getLoc());
    return;
  }
}

namespace {

class FuzzedPolicy : public SchedulingPolicy {
public:
  FuzzedPolicy(unsigned seed, unsigned numActions)
      : seed(seed), numActions(numActions) {}
  llvm::StringRef getName() const override { return "anything"; }

  LogicalResult schedule(PlanOp plan, const TargetSpec &) const override {
    std::mt19937 chance(seed);
    for (unsigned number = 0; number != numActions; ++number) {
      SmallVector<TilesOp> launches =
          llvm::to_vector(plan.getBody().front().getOps<TilesOp>());
      if (launches.empty())
        break;
      size_t first = chance() % launches.size();
      size_t second = first + chance() % (launches.size() - first);
      auto action =
          static_cast<Action>(chance() % (unsigned(Action::Last) + 1));
      if (action == Action::Fail)
        return failure();
      act(action, plan, launches[first], launches[second]);
      if (!leavesPlanWhole(action))
        return success();
    }
    if (numActions == 0 || chance() % 4 != 0)
      orderInSequence(plan);
    return success();
  }

private:
  unsigned seed, numActions;
};

} // namespace

std::unique_ptr<SchedulingPolicy>
test::createFuzzedPolicy(unsigned seed, unsigned numActions) {
  return std::make_unique<FuzzedPolicy>(seed, numActions);
}
