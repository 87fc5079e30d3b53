//===- ScopMergeLaunches.cpp - One launch of independent kernels ----------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "SharedLaunch.h"
#include "grout/Dialect/Scop/Transforms/Passes.h"
#include "grout/Target/IR/Grout.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/DebugLog.h"
#include "llvm/Support/InterleavedRange.h"

#define DEBUG_TYPE "scop-merge-launches"

namespace grout::scop {
#define GEN_PASS_DEF_SCOPMERGELAUNCHES
#include "grout/Dialect/Scop/Transforms/Passes.h.inc"
} // namespace grout::scop

using namespace mlir;
using namespace grout;
using namespace grout::scop;

namespace {

/// A step of the block that takes time: a kernel, or another op that is not a
/// view.
struct Step {
  Operation *op;
  /// None if no other kernel can share its launch.
  std::optional<KernelNeeds> needs;
  /// Earlier steps whose results it uses.
  SmallVector<unsigned> sources;
  bool isDone = false;
};

/// Merges the launches of a block.
class LaunchMerger {
public:
  LaunchMerger(Block &block, const TargetSpec &target)
      : block(block), target(target) {}

  /// Merges launches. Returns how many kernels share the launch of another
  /// kernel.
  unsigned run();

private:
  void findSteps();
  /// Whether kernel `number` depends on no step, and another kernel depends on
  /// it and on a step that has not run yet.
  bool isAwaited(unsigned number);
  /// Returns the step that runs next; none if all steps are done.
  std::optional<unsigned> findNext();
  /// Groups the remaining steps, in the order in which they run.
  std::vector<SmallVector<unsigned>> formGroups();
  /// Moves `op` to the current end of the block, after the ops that it uses and
  /// that have not been moved yet.
  void place(Operation *op);
  void placeOperands(Operation *op);
  void placeLaunch(ArrayRef<unsigned> group);

  Block &block;
  const TargetSpec &target;
  std::vector<Step> steps;
  llvm::DenseMap<Operation *, unsigned> numbers;
  llvm::SmallPtrSet<Operation *, 16> placed;
};

} // namespace

/// Whether `op` takes no time itself. An op that uses it may.
static bool isView(Operation *op) {
  return isa<tensor::ExtractSliceOp, tensor::ExpandShapeOp,
             tensor::CollapseShapeOp, tensor::EmptyOp, linalg::FillOp>(op) ||
         op->hasTrait<OpTrait::ConstantLike>();
}

/// Returns the results of steps that `op`, or an op in it, uses directly or
/// through views.
static llvm::SetVector<Value> getUsedResults(Operation *op) {
  llvm::SetVector<Value> results;
  SmallVector<Operation *> work = {op};
  llvm::SmallPtrSet<Operation *, 8> seen;
  while (!work.empty())
    work.pop_back_val()->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands()) {
        Operation *source = operand.getDefiningOp();
        if (!source || source->getBlock() != op->getBlock())
          continue;
        if (!isView(source))
          results.insert(operand);
        else if (seen.insert(source).second)
          work.push_back(source);
      }
    });
  return results;
}

void LaunchMerger::findSteps() {
  std::vector<llvm::SetVector<Value>> used;
  llvm::DenseSet<Value> passedOn;
  for (Operation &op : block.without_terminator()) {
    if (isView(&op))
      continue;
    Step step = {&op, std::nullopt, {}};
    if (auto kernel = dyn_cast<KernelOp>(op))
      step.needs = getKernelNeeds(kernel, target);
    used.push_back(getUsedResults(&op));
    for (Value result : used.back()) {
      step.sources.push_back(numbers.at(result.getDefiningOp()));
      passedOn.insert(result);
    }
    numbers[&op] = steps.size();
    steps.push_back(std::move(step));
  }
  for (auto [step, results] : llvm::zip_equal(steps, used)) {
    if (!step.needs)
      continue;
    llvm::append_range(step.needs->passedOn, results);
    for (Value result : step.op->getResults())
      if (passedOn.contains(result))
        step.needs->passedOn.push_back(result);
  }
}

bool LaunchMerger::isAwaited(unsigned number) {
  if (steps[number].isDone || !steps[number].needs ||
      !steps[number].sources.empty())
    return false;
  return llvm::any_of(steps, [&](const Step &step) {
    return step.needs && llvm::is_contained(step.sources, number) &&
           llvm::any_of(step.sources, [&](unsigned source) {
             return source != number && !steps[source].isDone;
           });
  });
}

std::optional<unsigned> LaunchMerger::findNext() {
  auto numbers = llvm::seq<unsigned>(0, steps.size());
  auto next = llvm::find_if(
      numbers, [&](unsigned number) { return !steps[number].isDone; });
  if (next == numbers.end())
    return std::nullopt;
  // Before a step that cannot share a launch, such as a GEMM, run an awaited
  // kernel. Otherwise, the kernel would share a launch with users of the GEMM,
  // and a user of both would have to wait for that launch.
  if (!steps[*next].needs)
    if (auto first = llvm::find_if(
            numbers, [&](unsigned number) { return isAwaited(number); });
        first != numbers.end())
      return *first;
  return *next;
}

std::vector<SmallVector<unsigned>> LaunchMerger::formGroups() {
  std::vector<SmallVector<unsigned>> groups;
  while (std::optional<unsigned> next = findNext()) {
    unsigned first = *next, e = steps.size();
    SmallVector<unsigned> group = {first};
    if (steps[first].needs) {
      SharedLaunch launch(target);
      launch.add(*steps[first].needs);
      for (unsigned other = first + 1; other != e; ++other) {
        const Step &step = steps[other];
        auto isDone = [&](unsigned source) { return steps[source].isDone; };
        if (step.isDone || !step.needs || !llvm::all_of(step.sources, isDone) ||
            !launch.suits(*step.needs))
          continue;
        launch.add(*step.needs);
        group.push_back(other);
      }
    }
    if (group.size() > 1)
      LDBG() << "one launch has "
             << llvm::interleaved(llvm::map_range(group, [&](unsigned number) {
                  return steps[number].op->getLoc();
                }));
    else if (isa<KernelOp>(steps[first].op))
      LDBG() << steps[first].op->getLoc() << " is launched alone"
             << (steps[first].needs ? "" : ": it cannot share a launch");
    for (unsigned number : group)
      steps[number].isDone = true;
    groups.push_back(std::move(group));
  }
  return groups;
}

void LaunchMerger::placeOperands(Operation *op) {
  op->walk([&](Operation *inner) {
    for (Value operand : inner->getOperands())
      if (Operation *source = operand.getDefiningOp();
          source && source->getBlock() == &block)
        place(source);
  });
}

void LaunchMerger::place(Operation *op) {
  if (!placed.insert(op).second)
    return;
  placeOperands(op);
  op->moveBefore(block.getTerminator());
}

void LaunchMerger::placeLaunch(ArrayRef<unsigned> group) {
  SmallVector<unsigned> members(group);
  llvm::stable_sort(members, [&](unsigned a, unsigned b) {
    return steps[a].needs->getBytesOfBlock() >
           steps[b].needs->getBytesOfBlock();
  });
  SmallVector<Value> results;
  SmallVector<Location> locations;
  for (unsigned member : members) {
    Operation *op = steps[member].op;
    placeOperands(op);
    locations.push_back(op->getLoc());
    for (Value result : op->getResults())
      if (!result.use_empty())
        results.push_back(result);
  }
  OpBuilder builder(block.getTerminator());
  auto launch = LaunchOp::create(builder, builder.getFusedLoc(locations),
                                 ValueRange(results).getTypes());
  placed.insert(launch);
  for (auto [value, result] : llvm::zip_equal(results, launch.getResults()))
    value.replaceAllUsesWith(result);
  Block &body = launch.getBody().emplaceBlock();
  for (unsigned member : members) {
    steps[member].op->moveBefore(&body, body.end());
    placed.insert(steps[member].op);
  }
  builder.setInsertionPointToEnd(&body);
  YieldOp::create(builder, launch.getLoc(), results);
}

unsigned LaunchMerger::run() {
  findSteps();
  std::vector<SmallVector<unsigned>> groups = formGroups();
  if (groups.size() == steps.size())
    return 0;
  SmallVector<Operation *> views;
  for (Operation &op : block.without_terminator())
    if (isView(&op))
      views.push_back(&op);
  for (ArrayRef<unsigned> group : groups) {
    if (group.size() == 1)
      place(steps[group.front()].op);
    else
      placeLaunch(group);
  }
  for (Operation *view : views)
    place(view);
  return steps.size() - groups.size();
}

namespace {

struct ScopMergeLaunches
    : grout::scop::impl::ScopMergeLaunchesBase<ScopMergeLaunches> {
  using Base::Base;

  void runOnOperation() override {
    FailureOr<const Target *> target = getGPU(getOperation());
    if (failed(target))
      return signalPassFailure();
    if (getOperation().getBody().hasOneBlock())
      numMerged +=
          LaunchMerger(getOperation().getBody().front(), (*target)->getSpec())
              .run();
  }
};

} // namespace
