//===- BufferPlacesTest.cpp - Buffers that share bytes, by brute force ----===//
//
// Part of Grout. Random plans, whose buffers launch-place-buffers places in the
// workspace and in outputs, are compared with the definition: every launch that
// uses a buffer has ended when a launch writes one with the same bytes.
// LaunchOrderTest compares LaunchOrder with events.
//
//===----------------------------------------------------------------------===//

#include "grout/Dialect/Launch/IR/BufferPlaces.h"
#include "grout/Dialect/Launch/IR/LaunchOrder.h"
#include "grout/Dialect/Launch/Transforms/Passes.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"

#include "gtest/gtest.h"
#include <random>

using namespace mlir;
using namespace grout;
using namespace grout::launch;

namespace {

class PlacesTest : public testing::TestWithParam<int> {
protected:
  PlacesTest() : chance(GetParam()), builder(&context) {
    context.loadDialect<LaunchDialect>();
    context.getDiagEngine().registerHandler(
        [](Diagnostic &) { return success(); });
  }

  unsigned draw(unsigned end) { return unsigned(chance() % end); }

  /// A plan in which each launch writes a buffer or two, maybe an output, and
  /// reads some of what launches before have written. With its edges it is
  /// valid.
  void makePlan();
  LaunchOpInterface addLaunch(ValueRange reads, ValueRange writes,
                              ArrayRef<Value> after, ArrayRef<int32_t> edges);
  bool place();
  bool isValid() { return succeeded(verify(*module)); }

  /// Whether all who use `first` have ended when `second` is written.
  bool endsBefore(LaunchOrder &order, Value first, Value second);
  Value drawHost();
  /// Whether no buffer is destroyed before its last use.
  bool keepsAll();

  std::mt19937 chance;
  MLIRContext context;
  OpBuilder builder;
  OwningOpRef<ModuleOp> module;
  PlanOp plan;
  SmallVector<BufferOp> buffers;
};

LaunchOpInterface PlacesTest::addLaunch(ValueRange reads, ValueRange writes,
                                        ArrayRef<Value> after,
                                        ArrayRef<int32_t> edges) {
  SmallVector<Value> all = llvm::to_vector(reads);
  SmallVector<int64_t> written;
  for (Value write : writes) {
    written.push_back(all.size());
    all.push_back(write);
  }
  auto kernel = KernelOp::create(
      builder, builder.getUnknownLoc(), builder.getStringAttr("k"),
      FlatSymbolRefAttr::get(&context, "m"),
      builder.getArrayAttr(FlatSymbolRefAttr::get(&context, "e")), all,
      builder.getDenseI64ArrayAttr(written), after,
      builder.getDenseI32ArrayAttr(edges), /*early=*/DenseI64ArrayAttr(),
      /*semaphores=*/Value(), builder.getArrayAttr({}),
      builder.getArrayAttr(builder.getI64ArrayAttr({1})),
      /*order=*/ArrayAttr(), /*exchange=*/ExchangeAttr());
  return cast<LaunchOpInterface>(*kernel);
}

void PlacesTest::makePlan() {
  module = ModuleOp::create(builder.getUnknownLoc());
  builder.setInsertionPointToEnd(module->getBody());
  plan =
      PlanOp::create(builder, builder.getUnknownLoc(),
                     builder.getStringAttr("f"), builder.getI64IntegerAttr(0),
                     /*in_place=*/DenseI64ArrayAttr(),
                     /*reference=*/FlatSymbolRefAttr(),
                     /*rounded_to=*/TypeAttr());
  builder.setInsertionPointToEnd(&plan.getBody().emplaceBlock());
  SmallVector<LaunchOpInterface> launches;
  // Who writes each buffer.
  SmallVector<size_t> writers;
  auto drawType = [&] {
    return MemRefType::get({64 * (1 + int64_t(draw(6)))}, builder.getF32Type());
  };
  Block &block = plan.getBody().front();
  for (size_t number = 0, count = 3 + draw(14); number != count; ++number) {
    SmallVector<Value> reads, writes;
    llvm::SmallSetVector<size_t, 4> before;
    for (unsigned i = 0, e = buffers.empty() ? 0 : draw(3); i != e; ++i) {
      size_t read = draw(buffers.size());
      if (llvm::is_contained(reads, Value(buffers[read])))
        continue;
      reads.push_back(buffers[read]);
      before.insert(writers[read]);
    }
    // Some launches only wait.
    if (number != 0 && draw(3) == 0)
      before.insert(draw(number));
    for (unsigned i = 0, e = 1 + draw(2); i != e; ++i) {
      buffers.push_back(BufferOp::create(
          builder, builder.getUnknownLoc(), drawType(),
          "b" + std::to_string(buffers.size()), ElementsAttr()));
      writers.push_back(number);
      writes.push_back(buffers.back());
    }
    if (draw(4) == 0)
      writes.push_back(block.addArgument(drawType(), builder.getUnknownLoc()));
    SmallVector<Value> after;
    SmallVector<int32_t> edges;
    for (size_t other : before) {
      after.push_back(launches[other].getToken());
      edges.push_back(
          static_cast<int32_t>(draw(2) ? Edge::full : Edge::programmatic));
    }
    launches.push_back(addLaunch(reads, writes, after, edges));
  }
}

bool PlacesTest::place() {
  PassManager passes(&context);
  passes.addPass(createLaunchPlaceBuffers());
  return succeeded(passes.run(*module));
}

bool PlacesTest::endsBefore(LaunchOrder &order, Value first, Value second) {
  if (isa<BlockArgument>(first))
    return false;
  for (LaunchOpInterface use : plan.getLaunches())
    for (LaunchOpInterface writer : plan.getLaunches()) {
      bool isUse = llvm::is_contained(use.getReads(), first) ||
                   llvm::is_contained(use.getWrites(), first);
      if (isUse && llvm::is_contained(writer.getWrites(), second) &&
          !order.hasEndedAtUse(use, writer))
        return false;
    }
  return true;
}

bool PlacesTest::keepsAll() {
  LaunchOrder order(plan);
  for (BufferOp a : buffers)
    for (BufferOp b : buffers) {
      int64_t begin = *a.getOffset(), other = *b.getOffset();
      bool isShared = a != b && a.getHost() == b.getHost() &&
                      begin < other + b.getBytes() &&
                      other < begin + a.getBytes();
      if (isShared && !endsBefore(order, a, b) && !endsBefore(order, b, a))
        return false;
    }
  return llvm::all_of(buffers, [&](BufferOp buffer) {
    return !buffer.getHost() || endsBefore(order, buffer, buffer.getHost());
  });
}

/// An output, or null: the workspace.
Value PlacesTest::drawHost() {
  Block &block = plan.getBody().front();
  unsigned number = draw(block.getNumArguments() + 1);
  return number == block.getNumArguments() ? Value()
                                           : block.getArgument(number);
}

TEST_P(PlacesTest, ShareOnlyWhatIsOver) {
  makePlan();
  ASSERT_TRUE(isValid());
  ASSERT_TRUE(place());
  EXPECT_TRUE(isValid());
  EXPECT_TRUE(keepsAll());
}

TEST_P(PlacesTest, MovesAreSeen) {
  makePlan();
  ASSERT_TRUE(place());
  for (int i = 0; i != 20; ++i) {
    BufferOp moved = buffers[draw(buffers.size())];
    int64_t offset = *moved.getOffset();
    std::optional<uint64_t> argument = moved.getArgument();
    moved.setOffset(256 * draw(12));
    auto host = cast_or_null<BlockArgument>(drawHost());
    moved.setArgument(host ? std::optional(host.getArgNumber()) : std::nullopt);
    bool isInside = !host || int64_t(*moved.getOffset()) + moved.getBytes() <=
                                 getBytes(host);
    EXPECT_EQ(isValid(), isInside && keepsAll());
    moved.setOffset(offset);
    moved.setArgument(argument);
  }
}

TEST_P(PlacesTest, LostEdgesAreSeen) {
  makePlan();
  ASSERT_TRUE(place());
  for (LaunchOpInterface launch : plan.getLaunches()) {
    auto kernel = cast<KernelOp>(*launch);
    SmallVector<Value> after = kernel.getAfter();
    SmallVector<int32_t> edges = llvm::to_vector(kernel.getEdges());
    for (size_t i = 0; i != after.size(); ++i) {
      SmallVector<Value> fewer = after;
      SmallVector<int32_t> kinds = edges;
      fewer.erase(fewer.begin() + i);
      kinds.erase(kinds.begin() + i);
      kernel.getAfterMutable().assign(fewer);
      kernel.setEdges(kinds);
      if (!keepsAll())
        EXPECT_FALSE(isValid());
    }
    kernel.getAfterMutable().assign(after);
    kernel.setEdges(edges);
  }
  EXPECT_TRUE(isValid());
}

INSTANTIATE_TEST_SUITE_P(Random, PlacesTest, testing::Range(0, 60));

} // namespace
