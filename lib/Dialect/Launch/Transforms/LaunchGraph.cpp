//===- LaunchGraph.cpp - A plan as policies see it ------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "LaunchGraph.h"

#include "grout/Dialect/Launch/IR/BufferParts.h"
#include "grout/Dialect/Launch/IR/LaunchOrder.h"
#include "grout/Dialect/Launch/Transforms/SchedulingPolicy.h"
#include "llvm/ADT/BitVector.h"

using namespace mlir;
using namespace grout;
using namespace grout::launch;

/// Orders `launch` after `earlier` with the earliest edge that the kernel of
/// `launch` allows.
static void orderAfter(TilesOp launch, TilesOp earlier) {
  cast<LaunchOpInterface>(*launch).addEdge(earlier.getToken(),
                                           getEarliestEdge(launch));
}

/// Orders each launch that writes a buffer after the earlier launches that
/// access it.
static void orderWrites(ArrayRef<TilesOp> launches, LaunchOrder &order) {
  using Access = std::pair<TilesOp, Value>;
  llvm::DenseMap<Value, SmallVector<Access, 2>> accesses;
  for (TilesOp launch : launches) {
    for (Value written : launch.getOutputs())
      for (auto [earlier, accessed] : accesses.lookup(getMemory(written)))
        if (mayOverlap(accessed, written) &&
            !order.hasEndedAtUse(earlier, launch))
          orderAfter(launch, earlier);
    for (ValueRange buffers :
         {ValueRange(launch.getInputs()), ValueRange(launch.getOutputs())})
      for (Value buffer : buffers)
        accesses[getMemory(buffer)].emplace_back(launch, buffer);
  }
}

/// Orders launches that need several resident tiles, one after another.
static void orderResidents(ArrayRef<TilesOp> launches, LaunchOrder &order) {
  TilesOp last;
  for (TilesOp launch : launches) {
    bool isCollective = llvm::any_of(
        launch.getKernels(), [](auto kernel) { return kernel.isCollective(); });
    if (launch.getResidents() <= 1 && !isCollective)
      continue;
    if (last && !order.endsBefore(last, launch))
      orderAfter(launch, last);
    last = launch;
  }
}

LaunchGraph::LaunchGraph(PlanOp plan) : plan(plan) {
  llvm::append_range(launches, plan.getBody().front().getOps<TilesOp>());
  {
    LaunchOrder order(plan);
    orderWrites(launches, order);
    orderResidents(launches, order);
  }
  llvm::DenseMap<Operation *, unsigned> numbers;
  // For each launch, the launches that precede it, and itself.
  std::vector<BitVector> reached(size());
  before.resize(size());
  behind.resize(size());
  for (auto [number, launch] : llvm::enumerate(launches)) {
    SmallVector<unsigned> all;
    for (Value token : launch.getAfter())
      if (auto earlier = token.getDefiningOp<TilesOp>())
        all.push_back(numbers.lookup(earlier));
    // Look at the latest launches first: their predecessors need no edges.
    llvm::sort(all, std::greater<unsigned>());
    BitVector &ofLaunch = reached[number];
    ofLaunch.resize(size());
    for (unsigned earlier : all) {
      if (ofLaunch.test(earlier))
        continue;
      ofLaunch |= reached[earlier];
      before[number].push_back(earlier);
      behind[earlier].push_back(number);
    }
    ofLaunch.set(number);
    numbers[launch] = number;
  }
}

void LaunchGraph::apply(ArrayRef<unsigned> order,
                        ArrayRef<unsigned> branches) const {
  Block &block = PlanOp(plan).getBody().front();
  for (unsigned number : order) {
    TilesOp launch = launches[number];
    launch->moveBefore(&block, block.end());
    launch.setBranch(branches[number]);
  }
  orderInSequence(plan);
}
