//===- PropertyTest.cpp - The proof and the interpreter agree -------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "ProofComparison.h"
#include "RandomProgram.h"
#include "Seeds.h"
#include "grout/Analysis/VerifyProgram.h"
#include "gtest/gtest.h"

using namespace mlir;

namespace grout::test {
namespace {

TEST(PropertyTest, RandomChains) {
  Seeds seeds(0, 200);
  Tally tally;
  for (unsigned seed : seeds) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    TileProgram program = makeRandomChain(random, RandomProgramOptions());
    addRuns(random, program);
    addDerivedEdges(IslContext(), random, program);
    compare(program, /*exhaustive=*/false, tally);
    for (int i = 0; i < 3; ++i) {
      TileProgram mutant = program;
      SCOPED_TRACE(mutate(random, mutant));
      compare(mutant, /*exhaustive=*/false, tally);
    }
    if (HasFatalFailure())
      return;
  }
  if (seeds.areDefault())
    tally.expectVariety();
}

/// Launches, some of which wait for tiles and some for launches.
void compareLaunches(const RandomProgramOptions &options, unsigned firstSeed,
                     bool exhaustive) {
  Seeds seeds(firstSeed, 200);
  Tally tally;
  for (unsigned seed : seeds) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    TileProgram program = makeRandomChain(random, options);
    addRuns(random, program);
    addDerivedEdges(IslContext(), random, program);
    addLaunches(random, program);
    compare(program, exhaustive, tally);
    for (int i = 0; i < 3; ++i) {
      TileProgram mutant = program;
      SCOPED_TRACE(mutate(random, mutant));
      compare(mutant, exhaustive, tally);
    }
    if (testing::Test::HasFatalFailure())
      return;
  }
  if (!seeds.areDefault())
    return;
  EXPECT_GT(tally.accepted, 200);
  EXPECT_GT(tally.rejected, 100);
  // One resident of a launch is enough but where it has several kernels.
  EXPECT_GT(tally.bounded, 5);
  EXPECT_LT(tally.deadOverwrites, 20);
  EXPECT_LT(tally.inconclusive, 80);
}

TEST(PropertyTest, RandomLaunches) {
  compareLaunches(RandomProgramOptions(), 2000, /*exhaustive=*/false);
}

TEST(PropertyTest, TinyLaunchesExhaustively) {
  RandomProgramOptions options;
  options.maxKernels = 3;
  options.maxExtent = 4;
  options.maxTilesPerDim = 2;
  options.maxSteps = 2;
  compareLaunches(options, 3000, /*exhaustive=*/true);
}

/// A tile whose steps read the tiles of another kernel, some after the steps,
/// and wait for them at other steps.
TileProgram makeSteps(Random &random) {
  int64_t steps = random.pick(2, 5);
  AffineExpr s = getAffineDimExpr(1, getContext());
  auto pick = [&](llvm::ArrayRef<AffineExpr> exprs) {
    AffineExpr picked = exprs[random.pick(0, exprs.size() - 1)];
    return AffineMap::get(2, 0, picked, getContext());
  };
  AffineExpr even = s.floorDiv(2) * 2, zero = s * 0;
  TileProgram program;
  program.kernels = {{"p", {steps}, 1, {}}, {"c", {1}, steps, {}}};
  program.kernels[1].stepsInOrder = random.pick(1, steps);
  program.tensors.resize(2);
  program.tensors[0].shape = {steps};
  program.tensors[1].shape = {1};
  program.tensors[1].buffer = 1;
  program.writes = {{0, 0, 0, makeAccess("(i, s) -> (i)", {}, {steps})},
                    {1, 0, 1, makeAccess("(i, s) -> (i)", {}, {1})}};
  program.order = kernelByKernel(program.kernels);
  for (unsigned operand = 0; operand != 2; ++operand) {
    ElementAccess access = makeAccess("(i, s) -> (s)", {}, {steps});
    access.map = pick({s, s, even, s + 1, zero});
    bool isAfterSteps = random.oneIn(3);
    program.reads.push_back(
        {1, operand, 0, access, /*waitsForLaunch=*/false, isAfterSteps});
    SemaphorePolicy policy;
    policy.semaphore = parseMap("(i) -> (i)");
    policy.shape = {steps};
    policy.counts = {1};
    policy.waitLower = pick({s, s - 1, even, zero, steps - 1 - s});
    policy.waitUpper = pick({s, s + 1, even + 1, s * 2, zero + (steps - 1),
                             steps - 1 - s, (steps - 1) * (1 - s)});
    program.edges.push_back({0, 1, operand, policy, isAfterSteps});
  }
  return program;
}

TEST(PropertyTest, StepsInRuns) {
  Seeds seeds(0, 400);
  Tally tally;
  int needsOrder = 0;
  for (unsigned seed : seeds) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    TileProgram program = makeSteps(random);
    compare(program, /*exhaustive=*/true, tally);
    if (HasFatalFailure())
      return;
    // Whether it would be safe if all steps were in order, but is not.
    bool isSafe = verifyProgram(IslContext(), program).succeeded();
    program.kernels[1].stepsInOrder.reset();
    needsOrder +=
        !isSafe && verifyProgram(IslContext(), program).succeeded() ? 1 : 0;
  }
  EXPECT_EQ(tally.inconclusive, 0);
  if (!seeds.areDefault())
    return;
  EXPECT_GT(tally.accepted, 100);
  EXPECT_GT(tally.rejected, 100);
  EXPECT_GT(needsOrder, 30);
}

TEST(PropertyTest, TinyChainsExhaustively) {
  Seeds seeds(1000, 200);
  Tally tally;
  RandomProgramOptions options;
  options.maxKernels = 3;
  options.maxExtent = 4;
  options.maxTilesPerDim = 2;
  options.maxSteps = 2;
  for (unsigned seed : seeds) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    TileProgram program = makeRandomChain(random, options);
    addRuns(random, program);
    addDerivedEdges(IslContext(), random, program);
    compare(program, /*exhaustive=*/true, tally);
    for (int i = 0; i < 3; ++i) {
      TileProgram mutant = program;
      SCOPED_TRACE(mutate(random, mutant));
      compare(mutant, /*exhaustive=*/true, tally);
    }
    if (HasFatalFailure())
      return;
  }
  if (seeds.areDefault())
    tally.expectVariety();
}

} // namespace
} // namespace grout::test
