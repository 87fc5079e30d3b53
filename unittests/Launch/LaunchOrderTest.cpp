//===- LaunchOrderTest.cpp - What edges promise, by brute force -----------===//
//
// Part of Grout. What LaunchOrder says of random plans is compared with paths
// in a graph of events, which is what launches do, one at a time.
//
//===----------------------------------------------------------------------===//

#include "grout/Dialect/Launch/IR/LaunchOrder.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"

#include "gtest/gtest.h"
#include <random>

using namespace mlir;
using namespace grout;
using namespace grout::launch;

namespace {

/// What happens of every launch. Its reads and writes are behind `Use`.
enum Event { Start, Use, Triggered, End, NumEvents };

/// Which events have surely happened before others.
class EventGraph {
public:
  explicit EventGraph(size_t numLaunches)
      : before(numLaunches * NumEvents,
               std::vector<bool>(numLaunches * NumEvents)) {}

  void add(size_t launch, Event event, size_t later, Event laterEvent) {
    before[launch * NumEvents + event][later * NumEvents + laterEvent] = true;
  }

  /// Adds what follows.
  void close() {
    for (size_t middle = 0; middle != before.size(); ++middle)
      for (auto &from : before)
        for (size_t to = 0; from[middle] && to != before.size(); ++to)
          if (before[middle][to])
            from[to] = true;
  }

  bool isBefore(size_t launch, Event event, size_t later, Event laterEvent) {
    return before[launch * NumEvents + event][later * NumEvents + laterEvent];
  }

private:
  std::vector<std::vector<bool>> before;
};

class EdgesTest : public testing::TestWithParam<int> {
protected:
  EdgesTest() { context.loadDialect<LaunchDialect>(); }

  /// A launch that reads and writes nothing.
  LaunchOpInterface addLaunch(OpBuilder &builder, ArrayRef<Value> after,
                              ArrayRef<int32_t> edges, bool triggersFirst) {
    auto kernel = KernelOp::create(
        builder, builder.getUnknownLoc(), builder.getStringAttr("k"),
        FlatSymbolRefAttr::get(builder.getContext(), "m"),
        builder.getArrayAttr(FlatSymbolRefAttr::get(builder.getContext(), "e")),
        /*buffers=*/ValueRange(), builder.getDenseI64ArrayAttr({}), after,
        builder.getDenseI32ArrayAttr(edges), /*early=*/DenseI64ArrayAttr(),
        /*semaphores=*/Value(), builder.getArrayAttr({}),
        builder.getArrayAttr(builder.getI64ArrayAttr({1})),
        /*order=*/ArrayAttr(), /*exchange=*/ExchangeAttr());
    kernel.setTriggersBeforeWait(triggersFirst);
    return cast<LaunchOpInterface>(*kernel);
  }

  MLIRContext context;
};

TEST_P(EdgesTest, IsThatOfEvents) {
  std::mt19937 chance(GetParam());
  auto draw = [&](unsigned end) { return unsigned(chance() % end); };
  OpBuilder builder(&context);
  OwningOpRef<ModuleOp> module = ModuleOp::create(builder.getUnknownLoc());
  builder.setInsertionPointToEnd(module->getBody());
  auto plan = PlanOp::create(
      builder, builder.getUnknownLoc(), builder.getStringAttr("f"),
      builder.getI64IntegerAttr(0),
      /*in_place=*/DenseI64ArrayAttr(),
      /*reference=*/FlatSymbolRefAttr(), /*rounded_to=*/TypeAttr());
  builder.setInsertionPointToEnd(&plan.getBody().emplaceBlock());
  Value start = StartOp::create(builder, builder.getUnknownLoc());

  size_t count = 2 + draw(9);
  EventGraph events(count);
  SmallVector<LaunchOpInterface> launches;
  for (size_t launch = 0; launch != count; ++launch) {
    SmallVector<Value> after;
    SmallVector<int32_t> edges;
    bool waits = false, triggersFirst = draw(4) == 0;
    for (unsigned i = 0, e = draw(4); i != e; ++i) {
      auto edge = static_cast<Edge>(draw(4));
      waits |= edge == Edge::programmatic;
      edges.push_back(static_cast<int32_t>(edge));
      if (launches.empty() || draw(8) == 0) {
        after.push_back(start);
        continue;
      }
      size_t other = draw(launches.size());
      after.push_back(launches[other].getToken());
      events.add(other, edge == Edge::full ? End : Triggered, launch, Start);
      if (edge == Edge::programmatic)
        events.add(other, End, launch, Use);
      events.add(other, End, launch, End);
    }
    // A kernel that waits triggers behind its wait, if it does not say that it
    // does before, and others at any time.
    events.add(launch, Start, launch, Use);
    events.add(launch, Start, launch, Triggered);
    if (waits && !triggersFirst)
      events.add(launch, Use, launch, Triggered);
    events.add(launch, Use, launch, End);
    launches.push_back(addLaunch(builder, after, edges, triggersFirst));
  }
  events.close();

  LaunchOrder order(plan);
  for (size_t later = 0; later != count; ++later) {
    for (size_t earlier = 0; earlier != later; ++earlier) {
      EXPECT_EQ(order.hasEndedAtStart(launches[earlier], launches[later]),
                events.isBefore(earlier, End, later, Start));
      EXPECT_EQ(order.hasEndedAtUse(launches[earlier], launches[later]),
                events.isBefore(earlier, End, later, Use));
      EXPECT_EQ(order.endsBefore(launches[earlier], launches[later]),
                events.isBefore(earlier, End, later, End));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Random, EdgesTest, testing::Range(0, 300));

} // namespace
