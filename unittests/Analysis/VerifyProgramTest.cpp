//===- VerifyProgramTest.cpp - Proofs and their counterexamples -----------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Analysis/VerifyProgram.h"
#include "TestPrograms.h"
#include "grout/Analysis/Interpreter.h"
#include "gtest/gtest.h"

using namespace mlir;

namespace grout::test {
namespace {

using Kind = VerifyFailureKind;
using Tile = llvm::SmallVector<int64_t>;

/// Kernels one after another, each reading what the one before it writes.
TileProgram makeChain(llvm::ArrayRef<Gemm> gemms) {
  TileProgram program;
  auto addTensor = [&](const ElementAccess &access) {
    TensorInfo tensor;
    tensor.shape = access.shape;
    tensor.buffer = program.tensors.size();
    program.tensors.push_back(tensor);
  };
  addTensor(gemms[0].a);
  for (auto [index, gemm] : llvm::enumerate(gemms)) {
    unsigned kernel = index;
    program.kernels.push_back(gemm.kernel);
    addTensor(gemm.c);
    program.reads.push_back({kernel, 0, kernel, gemm.a});
    program.writes.push_back({kernel, 0, kernel + 1, gemm.c});
  }
  program.order = kernelByKernel(program.kernels);
  return program;
}

class VerifyTest : public ::testing::Test {
protected:
  /// Adds edges between neighbours.
  void synchronise(TileProgram &program, Granularity granularity) {
    for (unsigned kernel = 1; kernel < program.kernels.size(); ++kernel)
      program.edges.push_back(
          {kernel - 1, kernel, 0,
           derive(context, program.kernels[kernel - 1],
                  program.writes[kernel - 1].access, program.kernels[kernel],
                  program.reads[kernel].access, granularity)
               .policy});
  }

  VerifyFailure expectFailure(const TileProgram &program, Kind kind,
                              VerifyOptions options = {}) {
    VerifyResult result = verifyProgram(context, program, options);
    EXPECT_EQ(result.failures.size(), 1u) << result.str();
    if (result.failures.empty())
      return {};
    EXPECT_EQ(result.failures[0].kind, kind) << result.str();
    return result.failures[0];
  }

  /// As in modes `serial`, `pdl` and `overlap`.
  const LaunchWaits serialLaunch = {true, false, false};
  const LaunchWaits pdlLaunch = {false, true, true};
  const LaunchWaits overlapLaunch = {false, false, true};

  IslContext context;
  Gemm a = makeGemm("a", 64, 64, 64, 16, 16, 16);
  Gemm b = makeGemm("b", 64, 64, 64, 16, 16, 16);
  Gemm c = makeGemm("c", 64, 64, 64, 16, 16, 16);
  Gemm first = makeGemm("first", 512, 3072, 768, 128, 128, 64);
  Gemm second = makeGemm("second", 512, 2048, 3072, 128, 128, 32);
};

TEST_F(VerifyTest, DerivedPoliciesAreSafe) {
  for (Granularity granularity :
       {Granularity::Tile, Granularity::Row, Granularity::Kernel}) {
    TileProgram program = makeChain({first, second});
    synchronise(program, granularity);
    VerifyResult result = verifyProgram(context, program);
    EXPECT_TRUE(result.succeeded()) << result.str();
    EXPECT_TRUE(result.isMonotone);
    EXPECT_EQ(result.requiredResidents, 1);
  }
}

TEST_F(VerifyTest, InterleavedRowsAreMonotone) {
  TileProgram program = makeChain({first, second});
  synchronise(program, Granularity::Row);
  program.order = {parseMap("(i, j) -> (i, 0, j)"),
                   parseMap("(i, j) -> (i, 1, j)")};
  EXPECT_TRUE(verifyProgram(context, program).isMonotone);
}

TEST_F(VerifyTest, MissingEdge) {
  VerifyFailure failure =
      expectFailure(makeChain({first, second}), Kind::UnsynchronisedRead);
  ASSERT_TRUE(failure.consumer && failure.producer);
  EXPECT_EQ(failure.consumer->kernel, 1u);
  EXPECT_TRUE(failure.consumer->step.has_value());
  EXPECT_EQ(failure.producer->kernel, 0u);
  // The example is a true one.
  EXPECT_EQ(failure.consumer->tile[0], failure.producer->tile[0]);
  EXPECT_EQ(*failure.consumer->step / 4, failure.producer->tile[1]);
  EXPECT_NE(failure.message.find("second["), std::string::npos);
}

TEST_F(VerifyTest, NarrowBoxMissesOneTile) {
  TileProgram program = makeChain({first, second});
  synchronise(program, Granularity::Tile);
  // One step late: the first step of each producer tile comes too early.
  AffineMap late = parseMap("(i, j, s) -> (i, (s - 1) floordiv 4)");
  program.edges[0].policy.waitLower = program.edges[0].policy.waitUpper = late;
  VerifyFailure failure = expectFailure(program, Kind::UnsynchronisedRead);
  EXPECT_EQ(*failure.consumer->step % 4, 0);
}

/// Of three columns of tiles, only the last two read what parts of theirs make.
TEST_F(VerifyTest, TilesThatReadNothingNeedNotWait) {
  TileProgram program;
  program.kernels = {{"part", {2, 2, 3}, 1, {}}, {"tile", {2, 3}, 1, {}}};
  program.tensors.resize(2);
  program.tensors[0].shape = {2, 2, 3, 4};
  program.tensors[1].shape = {2, 3};
  program.tensors[1].buffer = 1;
  program.reads = {{1, 0, 0,
                    makeAccess("(i, j, s, p, e) -> (i, j - 1, p, e)", {3, 4},
                               {2, 2, 3, 4})}};
  program.writes = {
      {0, 0, 0,
       makeAccess("(i, j, p, s, e) -> (i, j, p, e)", {4}, {2, 2, 3, 4})},
      {1, 0, 1, makeAccess("(i, j, s) -> (i, j)", {}, {2, 3})}};
  program.order = kernelByKernel(program.kernels);
  program.edges = {
      {0, 1, 0,
       derive(context, program.kernels[0], program.writes[0].access,
              program.kernels[1], program.reads[0].access, Granularity::Row)
           .policy}};
  SemaphorePolicy &policy = program.edges[0].policy;
  auto guard = [&](int64_t first) {
    policy.guards = {getAffineDimExpr(1, policy.semaphore.getContext()) -
                     first};
  };
  auto interpret = [&] {
    InterpretOptions options;
    options.mode = InterpretMode::Adversarial;
    return unwrapOrDie(interpretProgram(program, options)).outcome;
  };
  llvm::SmallVector<int64_t> whole = {0, 0};
  EXPECT_EQ(countWaits(policy, program.kernels[1], whole, 100), 1);

  guard(1);
  EXPECT_EQ(countWaits(policy, program.kernels[1], whole, 100), 0);
  EXPECT_TRUE(verifyProgram(context, program).succeeded());
  EXPECT_EQ(interpret(), InterpretOutcome::Safe);

  guard(2);
  VerifyFailure failure = expectFailure(program, Kind::UnsynchronisedRead);
  EXPECT_EQ(failure.consumer->tile, (Tile{0, 1}));
  EXPECT_EQ(interpret(), InterpretOutcome::UnsynchronisedRead);
}

TEST_F(VerifyTest, EarlierStepsCover) {
  // The box of step 0 is all that the tile needs; later ones wait for nothing
  // new.
  TileProgram program = makeChain({first, second});
  synchronise(program, Granularity::Tile);
  SemaphorePolicy &policy = program.edges[0].policy;
  policy.waitLower = parseMap("(i, j, s) -> (i, 0)");
  policy.waitUpper = parseMap("(i, j, s) -> (i, 23 - s * 24)");
  EXPECT_TRUE(verifyProgram(context, program).succeeded());
}

TEST_F(VerifyTest, StepsOfOtherRunsDoNotCover) {
  // Two blocks split the steps of a tile. The first waits for all that both
  // of them read.
  TileProgram program = makeChain({first, second});
  synchronise(program, Granularity::Tile);
  SemaphorePolicy &policy = program.edges[0].policy;
  policy.waitLower = parseMap("(i, j, s) -> (i, 0)");
  policy.waitUpper = parseMap("(i, j, s) -> (i, 23 - s * 24)");
  program.kernels[1].stepsInOrder = 48;
  VerifyFailure failure = expectFailure(program, Kind::UnsynchronisedRead);
  ASSERT_TRUE(failure.consumer && failure.producer);
  EXPECT_GE(*failure.consumer->step, 48);
  EXPECT_EQ(*failure.consumer->step / 4, failure.producer->tile[1]);
  // Each waits at its first step.
  policy.waitUpper = parseMap("(i, j, s) -> (i, 23 - (s mod 48) * 24)");
  EXPECT_TRUE(verifyProgram(context, program).succeeded());
  // Blocks whose shares are not equal.
  program.kernels[1].stepsInOrder = 50;
  failure = expectFailure(program, Kind::UnsynchronisedRead);
  ASSERT_TRUE(failure.consumer.has_value());
  EXPECT_GE(*failure.consumer->step, 50);
  program.kernels[1].stepsInOrder = 96;
  EXPECT_TRUE(verifyProgram(context, program).succeeded());
}

TEST_F(VerifyTest, StepsInPairs) {
  // Every other step waits for what the next one reads.
  TileProgram program = makeChain({a, b});
  synchronise(program, Granularity::Tile);
  SemaphorePolicy &policy = program.edges[0].policy;
  policy.waitLower = parseMap("(i, j, s) -> (i, s - s mod 2)");
  policy.waitUpper = parseMap("(i, j, s) -> (i, s + 1 - (s mod 2) * 2)");
  for (int64_t length : {4, 2}) {
    program.kernels[1].stepsInOrder = length;
    EXPECT_TRUE(verifyProgram(context, program).succeeded());
  }
  for (int64_t length : {3, 1}) {
    program.kernels[1].stepsInOrder = length;
    VerifyFailure failure = expectFailure(program, Kind::UnsynchronisedRead);
    ASSERT_TRUE(failure.consumer && failure.producer);
    EXPECT_EQ(*failure.consumer->step % 2, 1);
    EXPECT_EQ(*failure.consumer->step, failure.producer->tile[1]);
  }
  // A derived policy waits at each step for what that reads.
  program.edges.clear();
  synchronise(program, Granularity::Tile);
  EXPECT_TRUE(verifyProgram(context, program).succeeded());
}

TEST_F(VerifyTest, ReadsAfterStepsNeedAWaitOfTheirRun) {
  // The second kernel reads by steps, which the first one's tile in its own
  // column is among, and that tile again after the steps.
  TileProgram program = makeChain({a, b});
  synchronise(program, Granularity::Tile);
  program.reads.push_back({1, 1, 1, b.c});
  expectFailure(program, Kind::UnsynchronisedRead);
  program.reads[2].isAfterSteps = true;
  EXPECT_TRUE(verifyProgram(context, program).succeeded());
  // Only one of two runs waits for it.
  program.kernels[1].stepsInOrder = 2;
  VerifyFailure failure = expectFailure(program, Kind::UnsynchronisedRead);
  ASSERT_TRUE(failure.consumer && failure.producer);
  EXPECT_EQ(failure.consumer->tile[1], failure.producer->tile[1]);
  EXPECT_NE(*failure.consumer->step / 2, failure.producer->tile[1] / 2);
  // All do if they wait for rows.
  program.edges.clear();
  synchronise(program, Granularity::Row);
  EXPECT_TRUE(verifyProgram(context, program).succeeded());
}

TEST_F(VerifyTest, TilesComeAfterAllRuns) {
  // The third kernel's tiles come after those of the second, and so after what
  // any of their runs has waited for.
  TileProgram program = makeChain({a, b, c});
  synchronise(program, Granularity::Tile);
  for (TileKernel &kernel : program.kernels)
    kernel.stepsInOrder = 1;
  program.reads.push_back({2, 1, 1, c.a});
  EXPECT_TRUE(verifyProgram(context, program).succeeded());
  // Where it overwrites what they read, too.
  program.reads.pop_back();
  program.tensors[3].buffer = program.tensors[1].buffer;
  EXPECT_TRUE(verifyProgram(context, program).succeeded());
}

TEST_F(VerifyTest, WrongCounts) {
  TileProgram program = makeChain({first, second});
  synchronise(program, Granularity::Row);
  program.edges[0].policy.counts = {23};
  EXPECT_EQ(*expectFailure(program, Kind::CountTooLow).edge, 0u);
  program.edges[0].policy.counts = {25};
  expectFailure(program, Kind::CountTooHigh);
  program.edges[0].policy.counts = {24, 24, 24, 23};
  VerifyFailure failure = expectFailure(program, Kind::CountTooLow);
  EXPECT_NE(failure.message.find("semaphore [3] is posted 24 times"),
            std::string::npos)
      << failure.message;
}

TEST_F(VerifyTest, PostsOfAWholeKernelAreNotEnumerated) {
  TileProgram program = makeChain({first, second});
  synchronise(program, Granularity::Kernel);
  VerifyOptions options;
  options.maxTiles = 1;
  EXPECT_TRUE(verifyProgram(context, program, options).succeeded());
  ++program.edges[0].policy.counts[0];
  expectFailure(program, Kind::CountTooHigh, options);
}

TEST_F(VerifyTest, PostsOutsideTheArray) {
  TileProgram program = makeChain({first, second});
  synchronise(program, Granularity::Row);
  program.edges[0].policy.semaphore = parseMap("(i, j) -> (i + 1)");
  VerifyResult result = verifyProgram(context, program);
  ASSERT_FALSE(result.succeeded());
  EXPECT_EQ(result.failures[0].kind, Kind::Invalid);
}

TEST_F(VerifyTest, TransitiveOrderCovers) {
  // The third kernel also reads what the first one writes, which its wait for
  // the second one covers.
  Gemm a = makeGemm("a", 64, 64, 64, 16, 16, 16);
  Gemm b = makeGemm("b", 64, 64, 64, 16, 16, 16);
  Gemm c = makeGemm("c", 64, 64, 64, 16, 16, 16);
  TileProgram program = makeChain({a, b, c});
  synchronise(program, Granularity::Row);
  program.reads.push_back({2, 1, 1, c.a});
  EXPECT_TRUE(verifyProgram(context, program).succeeded());
  // Through operand B it reads other rows, which nothing covers.
  program.reads.back().access = c.b;
  expectFailure(program, Kind::UnsynchronisedRead);
}

TEST_F(VerifyTest, ReusedBuffer) {
  // The third kernel overwrites what the second one reads.
  TileProgram program = makeChain({a, b, c});
  synchronise(program, Granularity::Row);
  program.tensors[3].buffer = program.tensors[1].buffer;
  EXPECT_TRUE(verifyProgram(context, program).succeeded());
  // By tile, step 0 waits for one tile only; the last step for the last one.
  // Still, all are waited for before the tile writes.
  program.edges.clear();
  synchronise(program, Granularity::Tile);
  EXPECT_TRUE(verifyProgram(context, program).succeeded());
  // The second kernel overwriting its own input is not ordered.
  program.tensors[3].buffer = 3;
  program.tensors[2].buffer = program.tensors[1].buffer;
  VerifyFailure failure = expectFailure(program, Kind::UnsynchronisedOverwrite);
  EXPECT_EQ(failure.consumer->kernel, 1u);
  // An output must not be overwritten.
  program.tensors[2].buffer = 2;
  program.tensors[1].isOutput = true;
  program.tensors[3].buffer = program.tensors[1].buffer;
  expectFailure(program, Kind::UnsynchronisedOverwrite);
}

TEST_F(VerifyTest, UnwrittenAndDoublyWritten) {
  TileProgram program = makeChain({first, second});
  program.writes[0].access.guards = {parseExpr("i, j, s, p, q", "22 - j")};
  VerifyFailure failure = expectFailure(program, Kind::UnwrittenRead);
  EXPECT_NE(failure.message.find("reads element ["), std::string::npos);

  program = makeChain({first});
  program.writes[0].access.map =
      parseMap("(i, j, s, p, q) -> (p, j * 128 + q)");
  EXPECT_EQ(verifyProgram(context, program).failures[0].kind,
            Kind::DoubleWrite);
}

TEST_F(VerifyTest, OrderTies) {
  TileProgram program = makeChain({first, second});
  synchronise(program, Granularity::Row);
  program.order = {parseMap("(i, j) -> (i, j)"), parseMap("(i, j) -> (i, j)")};
  VerifyFailure failure = expectFailure(program, Kind::OrderTie);
  EXPECT_EQ(failure.consumer->tile, failure.producer->tile);
  program.order[0] = parseMap("(i, j) -> (-1, i)");
  expectFailure(program, Kind::OrderTie);
}

TEST_F(VerifyTest, ConsumersFirstMayHaveManySteps) {
  TileProgram program = makeChain({first, second});
  synchronise(program, Granularity::Row);
  program.order = {parseMap("(i, j) -> (1, i, j)"),
                   parseMap("(i, j) -> (0, i, j)")};
  // Those that are too many read nothing.
  program.kernels[1].steps = int64_t(1) << 34;
  VerifyResult result = verifyProgram(context, program);
  EXPECT_TRUE(result.succeeded()) << result.str();
  EXPECT_EQ(result.requiredResidents, 65);

  // The same for every step, but nobody knows.
  program.edges[0].policy.waitLower =
      parseMap("(i, j, k) -> (i + k floordiv 17179869184)");
  expectFailure(program, Kind::GaveUp);
}

TEST_F(VerifyTest, ConsumersFirstNeedAllResident) {
  TileProgram program = makeChain({first, second});
  synchronise(program, Granularity::Row);
  program.order = {parseMap("(i, j) -> (1, i, j)"),
                   parseMap("(i, j) -> (0, i, j)")};
  VerifyResult result = verifyProgram(context, program);
  EXPECT_TRUE(result.succeeded());
  EXPECT_FALSE(result.isMonotone);
  EXPECT_EQ(result.requiredResidents, 65);

  VerifyOptions options;
  options.residents = 64;
  VerifyFailure failure =
      expectFailure(program, Kind::TooFewResidents, options);
  EXPECT_EQ(failure.consumer->kernel, 1u);
  EXPECT_EQ(failure.producer->kernel, 0u);
  options.residents.reset();
  options.maxTiles = 50;
  expectFailure(program, Kind::GaveUp, options);
}

TEST_F(VerifyTest, WaitsOfNoStepNeedNoResidents) {
  TileProgram program = makeChain({first, second});
  synchronise(program, Granularity::Row);
  program.edges.push_back(program.edges[0]);
  std::swap(program.edges[1].producer, program.edges[1].consumer);
  program.edges[1].policy.counts = {16};
  program.edges[1].policy.firstStep = program.kernels[0].steps - 1;
  expectFailure(program, Kind::Cycle);
  program.edges[1].policy.firstStep = program.kernels[0].steps;
  VerifyResult result = verifyProgram(context, program);
  EXPECT_TRUE(result.succeeded()) << result.str();
  EXPECT_EQ(result.requiredResidents, 1);
}

TEST_F(VerifyTest, OneRowEarly) {
  TileProgram program = makeChain({first, second});
  synchronise(program, Granularity::Row);
  program.order = {parseMap("(i, j) -> (i, 1, j)"),
                   parseMap("(i, j) -> (i, 0, j)")};
  EXPECT_EQ(verifyProgram(context, program).requiredResidents, 17);
}

TEST_F(VerifyTest, WaitsThroughOthersCount) {
  // c waits for b, and b for a later tile of a: both hold a slot.
  TileProgram program;
  for (const char *name : {"a", "b", "c"})
    program.kernels.push_back({name, {1}, 1, {}});
  SemaphorePolicy policy;
  policy.semaphore = parseMap("(i) -> ()");
  policy.waitLower = policy.waitUpper = parseMap("(i, s) -> ()");
  policy.counts = {1};
  program.edges = {{0, 1, 0, policy}, {1, 2, 0, policy}};
  program.order = {parseMap("(i) -> (2)"), parseMap("(i) -> (0)"),
                   parseMap("(i) -> (1)")};
  EXPECT_EQ(verifyProgram(context, program).requiredResidents, 3);
  // And a kernel that waits for itself through others is a cycle.
  program.edges.push_back({2, 0, 0, policy});
  VerifyFailure failure = expectFailure(program, Kind::Cycle);
  EXPECT_EQ(failure.cycle.size(), 3u);
  EXPECT_NE(failure.message.find("a[0]"), std::string::npos);
}

TEST_F(VerifyTest, TileThatWaitsForItself) {
  TileProgram program;
  program.kernels.push_back({"scan", {4}, 1, {}});
  SemaphorePolicy policy;
  policy.semaphore = parseMap("(i) -> (i)");
  policy.shape = {4};
  policy.counts = {1};
  policy.waitLower = policy.waitUpper = parseMap("(i, s) -> (i - 1)");
  program.edges = {{0, 0, 0, policy}};
  program.order = {parseMap("(i) -> (i)")};
  // Clamped, tile 0 waits for itself.
  VerifyFailure failure = expectFailure(program, Kind::Cycle);
  ASSERT_EQ(failure.cycle.size(), 1u);
  EXPECT_EQ(failure.cycle[0].tile, (Tile{0}));
  // Tiles 1 to 3 may wait for their left neighbours: a scan.
  program.kernels[0].grid = {5};
  program.edges[0].policy.semaphore = parseMap("(i) -> (i mod 5)");
  program.edges[0].policy.shape = {5};
  // Empty for tile 0: the lower end is 1, the upper end 0.
  program.edges[0].policy.waitLower =
      parseMap("(i, s) -> (i - 1 + ((4 - i) floordiv 4) * 2)");
  VerifyResult result = verifyProgram(context, program);
  EXPECT_TRUE(result.succeeded()) << result.str();
  EXPECT_TRUE(result.isMonotone);
}

TEST_F(VerifyTest, DynamicRows) {
  for (Gemm *gemm : {&first, &second}) {
    gemm->kernel.grid[0] = ShapedType::kDynamic;
    gemm->kernel.gridParameters = {"rows"};
    gemm->a.shape[0] = gemm->c.shape[0] = ShapedType::kDynamic;
  }
  for (Granularity granularity :
       {Granularity::Tile, Granularity::Row, Granularity::Kernel}) {
    TileProgram program = makeChain({first, second});
    synchronise(program, granularity);
    VerifyResult result = verifyProgram(context, program);
    EXPECT_TRUE(result.succeeded()) << result.str();
    EXPECT_TRUE(result.isMonotone);
    if (granularity == Granularity::Row) {
      program.edges[0].policy.counts = {23};
      expectFailure(program, Kind::CountTooLow);
    }
  }
}

TEST_F(VerifyTest, GivesUpWithinItsBudget) {
  TileProgram program = makeChain({first, second});
  synchronise(program, Granularity::Row);
  IslContext poor(/*maxOperations=*/3);
  VerifyResult result = verifyProgram(poor, program);
  ASSERT_FALSE(result.succeeded());
  for (const VerifyFailure &failure : result.failures)
    EXPECT_EQ(failure.kind, Kind::GaveUp) << failure.message;
}

TEST_F(VerifyTest, LongProgramsTakeNoLargerBudget) {
  std::vector<Gemm> gemms;
  for (unsigned kernel = 0; kernel < 100; ++kernel)
    gemms.push_back(makeGemm("k" + std::to_string(kernel), 100, 64, 64,
                             kernel % 2 ? 16 : 24, 16, 16));
  TileProgram program = makeChain(gemms);
  synchronise(program, Granularity::Row);
  IslContext modest(/*maxOperations=*/100'000);
  VerifyResult result = verifyProgram(modest, program);
  EXPECT_TRUE(result.succeeded()) << result.str();
}

TEST_F(VerifyTest, WhatGaveUpIsNamed) {
  TileProgram program = makeChain({first, second});
  synchronise(program, Granularity::Row);
  VerifyResult safe = verifyProgram(context, program);
  EXPECT_FALSE(safe.gaveUp());
  VerifyResult poor = verifyProgram(IslContext(/*maxOperations=*/3), program);
  EXPECT_TRUE(poor.gaveUp());
  EXPECT_EQ(poor.failures.front().read, 0u);
}

TEST_F(VerifyTest, NoBudgetMakesAnUnsafeProgramSafe) {
  TileProgram safe = makeChain({first, second});
  synchronise(safe, Granularity::Tile);
  TileProgram unsafe = safe;
  unsafe.edges[0].policy.firstStep = 1;
  unsigned gaveUp = 0;
  for (uint64_t budget = 1; budget < 100'000; budget += 1 + budget / 5) {
    IslContext poor(budget);
    for (const VerifyFailure &failure : verifyProgram(poor, safe).failures) {
      EXPECT_EQ(failure.kind, Kind::GaveUp) << failure.message;
      ++gaveUp;
    }
    VerifyResult result = verifyProgram(poor, unsafe);
    EXPECT_FALSE(result.succeeded()) << budget;
    for (const VerifyFailure &failure : result.failures)
      EXPECT_TRUE(failure.kind == Kind::GaveUp ||
                  failure.kind == Kind::UnsynchronisedRead)
          << failure.message;
  }
  EXPECT_GT(gaveUp, 10u);
}

TEST_F(VerifyTest, IllFormedProgramsAreRefused) {
  TileProgram program = makeChain({first, second});
  synchronise(program, Granularity::Row);
  program.edges[0].policy.waitLower = parseMap("(i) -> (i)");
  expectFailure(program, Kind::Invalid);
  program = makeChain({first, second});
  program.order.pop_back();
  expectFailure(program, Kind::Invalid);
  program = makeChain({first, second});
  program.kernels[1].stepsInOrder = 0;
  expectFailure(program, Kind::Invalid);
  program = makeChain({first, second});
  program.reads[0].kernel = 7;
  expectFailure(program, Kind::Invalid);
  // Launches that are too few, and one that waits for a tile of a later one.
  program = makeChain({first, second});
  synchronise(program, Granularity::Row);
  program.launches = {serialLaunch};
  expectFailure(program, Kind::Invalid);
  program.launches = {serialLaunch, overlapLaunch};
  std::swap(program.edges[0].producer, program.edges[0].consumer);
  expectFailure(program, Kind::Invalid);
}

TEST_F(VerifyTest, LaunchesThatWaitCover) {
  // The third kernel reads what the first one writes.
  TileProgram program = makeChain({a, b, c});
  program.reads.push_back({2, 1, 1, b.a});
  program.launches = {serialLaunch, pdlLaunch, pdlLaunch};
  EXPECT_EQ(verifyProgram(context, program).failures.size(), 3u);
  for (ProgramAccess &read : program.reads)
    read.waitsForLaunch = read.kernel != 0;
  EXPECT_TRUE(verifyProgram(context, program).succeeded());
  EXPECT_EQ(verifyProgram(context, program).requiredResidents, 1);

  // An ordinary launch needs no wait of its own.
  program.reads[1].waitsForLaunch = false;
  VerifyFailure failure = expectFailure(program, Kind::UnsynchronisedRead);
  EXPECT_EQ(failure.consumer->kernel, 1u);
  program.launches[1] = serialLaunch;
  EXPECT_TRUE(verifyProgram(context, program).succeeded());
}

TEST_F(VerifyTest, LaunchesThatDoNotWaitPassNothingOn) {
  // The second kernel waits for tiles. Its end is that of the first one only if
  // it waits for that.
  TileProgram program = makeChain({a, b, c});
  synchronise(program, Granularity::Row);
  program.edges.pop_back();
  program.reads[2].waitsForLaunch = true;
  program.reads.push_back({2, 1, 1, b.a});
  program.reads[3].waitsForLaunch = true;
  program.launches = {serialLaunch, overlapLaunch, pdlLaunch};
  EXPECT_TRUE(verifyProgram(context, program).succeeded());
  // All rows of the second kernel together wait for all of the first.
  program.launches[1].beforeEnd = false;
  EXPECT_TRUE(verifyProgram(context, program).succeeded());
  // Not so if it waits for nothing.
  program.reads.erase(program.reads.begin() + 1);
  program.edges.clear();
  VerifyFailure failure = expectFailure(program, Kind::UnsynchronisedRead);
  EXPECT_EQ(failure.consumer->kernel, 2u);
  EXPECT_EQ(failure.producer->kernel, 0u);
  program.launches[1].beforeEnd = true;
  EXPECT_TRUE(verifyProgram(context, program).succeeded());
  // A launch that starts in order does not know of what came before either.
  program.launches[1].beforeEnd = false;
  program.launches[2] = serialLaunch;
  expectFailure(program, Kind::UnsynchronisedRead);
}

TEST_F(VerifyTest, KernelsOfOneLaunch) {
  // The second and the third kernel are one launch.
  TileProgram program = makeChain({a, b, c});
  program.launches = {serialLaunch, pdlLaunch, pdlLaunch};
  program.launches[2].isWithPrevious = true;
  program.reads[1].waitsForLaunch = program.reads[2].waitsForLaunch = true;
  // Waiting for the launch before says nothing of the second.
  VerifyFailure failure = expectFailure(program, Kind::UnsynchronisedRead);
  EXPECT_EQ(failure.consumer->kernel, 2u);
  EXPECT_EQ(failure.producer->kernel, 1u);
  synchronise(program, Granularity::Row);
  program.edges.erase(program.edges.begin());
  program.reads[2].waitsForLaunch = false;
  EXPECT_TRUE(verifyProgram(context, program).succeeded());
  // It does of the first, for both.
  program.reads.push_back({2, 1, 1, b.a});
  program.reads[3].waitsForLaunch = true;
  EXPECT_TRUE(verifyProgram(context, program).succeeded());
  // One resident would wait for itself.
  std::swap(program.order[1], program.order[2]);
  VerifyOptions options;
  options.residents = 1;
  expectFailure(program, Kind::TooFewResidents, options);
}

TEST_F(VerifyTest, TilesPassOnWaitsForLaunches) {
  // Tiles of the third kernel wait for some of the second, which has waited for
  // the end of the first before it wrote them.
  TileProgram program = makeChain({a, b, c});
  synchronise(program, Granularity::Row);
  program.edges.erase(program.edges.begin());
  program.reads[1].waitsForLaunch = true;
  program.reads.push_back({2, 1, 1, b.a});
  program.reads[3].isAfterSteps = true;
  program.launches = {serialLaunch, pdlLaunch, overlapLaunch};
  EXPECT_TRUE(verifyProgram(context, program).succeeded());
  // Only after the steps, if that is when they wait.
  program.edges[0].isAfterSteps = true;
  VerifyFailure failure = expectFailure(program, Kind::UnsynchronisedRead);
  EXPECT_EQ(failure.producer->kernel, 1u);
}

TEST_F(VerifyTest, LaunchesAndReusedBuffers) {
  // The third kernel overwrites what the second one reads.
  TileProgram program = makeChain({a, b, c});
  program.reads[1].waitsForLaunch = program.reads[2].waitsForLaunch = true;
  program.launches = {serialLaunch, pdlLaunch, pdlLaunch};
  program.tensors[3].buffer = program.tensors[1].buffer;
  EXPECT_TRUE(verifyProgram(context, program).succeeded());
  // Waiting at the end is too late, but waiting for tiles that have read is
  // not.
  program.reads[2].waitsForLaunch = false;
  program.launches[2] = overlapLaunch;
  VerifyResult result = verifyProgram(context, program);
  EXPECT_NE(result.str().find("unsynchronised overwrite"), std::string::npos)
      << result.str();
  synchronise(program, Granularity::Kernel);
  program.edges.erase(program.edges.begin());
  EXPECT_TRUE(verifyProgram(context, program).succeeded());
}

} // namespace
} // namespace grout::test
