//===- InterpreterTest.cpp - The reference semantics ----------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Analysis/Interpreter.h"
#include "TestPrograms.h"
#include "gtest/gtest.h"

using namespace mlir;

namespace grout::test {
namespace {

/// Two kernels of four tiles each; the second reads the first tile by tile,
/// with policies written by hand: nothing here is derived.
TileProgram makePair() {
  TileProgram program;
  program.kernels = {{"p", {4}, 1, {}}, {"c", {4}, 2, {}}};
  for (unsigned tensor = 0; tensor < 3; ++tensor) {
    TensorInfo info;
    info.shape = {8};
    info.buffer = tensor;
    program.tensors.push_back(info);
  }
  ElementAccess tile = makeAccess("(i, s, p) -> (i * 2 + p)", {2}, {8});
  ElementAccess element = makeAccess("(i, s) -> (i * 2 + s)", {}, {8});
  program.reads = {{0, 0, 0, tile}, {1, 0, 1, element}};
  program.writes = {{0, 0, 1, tile}, {1, 0, 2, tile}};
  SemaphorePolicy policy;
  policy.semaphore = parseMap("(i) -> (i)");
  policy.shape = {4};
  policy.counts = {1};
  policy.waitLower = policy.waitUpper = parseMap("(i, s) -> (i)");
  program.edges = {{0, 1, 0, policy}};
  program.order = kernelByKernel(program.kernels);
  return program;
}

InterpretOutcome run(const TileProgram &program, InterpretMode mode,
                     int64_t residents = 0) {
  InterpretOptions options;
  options.mode = mode;
  options.residents = residents;
  return unwrapOrDie(interpretProgram(program, options)).outcome;
}

constexpr InterpretMode searches[] = {InterpretMode::Exhaustive,
                                      InterpretMode::Adversarial};

TEST(InterpreterTest, SafePair) {
  TileProgram program = makePair();
  for (int64_t residents : {1, 2, 3, 8})
    for (InterpretMode mode : {InterpretMode::Single, InterpretMode::Exhaustive,
                               InterpretMode::Adversarial})
      EXPECT_EQ(run(program, mode, residents), InterpretOutcome::Safe);
}

TEST(InterpreterTest, UnsynchronisedReadIsNamed) {
  TileProgram program = makePair();
  program.edges[0].policy.waitLower = program.edges[0].policy.waitUpper =
      parseMap("(i, s) -> (i - 1)");
  // One resident hides it; so does one run.
  EXPECT_EQ(run(program, InterpretMode::Exhaustive, 1), InterpretOutcome::Safe);
  EXPECT_EQ(run(program, InterpretMode::Single), InterpretOutcome::Safe);
  for (InterpretMode mode : searches) {
    InterpretOptions options;
    options.mode = mode;
    InterpretResult result = unwrapOrDie(interpretProgram(program, options));
    EXPECT_EQ(result.outcome, InterpretOutcome::UnsynchronisedRead);
    ASSERT_TRUE(result.tile && result.other);
    EXPECT_EQ(result.tile->kernel, 1u);
    EXPECT_EQ(result.other->kernel, 0u);
    EXPECT_EQ(result.tile->tile, result.other->tile);
  }
}

TEST(InterpreterTest, DelayedWaitMissesTheFirstStep) {
  TileProgram program = makePair();
  program.edges[0].policy.firstStep = 1;
  for (InterpretMode mode : searches)
    EXPECT_EQ(run(program, mode), InterpretOutcome::UnsynchronisedRead);
}

TEST(InterpreterTest, RunsOfStepsAreApart) {
  // Step 0 waits for the tile that both steps read; step 1 for any other.
  TileProgram program = makePair();
  program.edges[0].policy.waitLower = program.edges[0].policy.waitUpper =
      parseMap("(i, s) -> (i - s)");
  for (InterpretMode mode : searches)
    EXPECT_EQ(run(program, mode), InterpretOutcome::Safe);
  program.kernels[1].stepsInOrder = 1;
  for (InterpretMode mode : searches) {
    InterpretOptions options;
    options.mode = mode;
    InterpretResult result = unwrapOrDie(interpretProgram(program, options));
    EXPECT_EQ(result.outcome, InterpretOutcome::UnsynchronisedRead);
    EXPECT_EQ(result.tile->step, 1);
  }
  // What is read after the steps, each run has to wait for.
  program.reads[1].isAfterSteps = true;
  for (InterpretMode mode : searches)
    EXPECT_EQ(run(program, mode), InterpretOutcome::UnsynchronisedRead);
  program.kernels[1].stepsInOrder.reset();
  program.edges[0].policy.waitLower = program.edges[0].policy.waitUpper =
      parseMap("(i, s) -> (i + s - 1)");
  for (InterpretMode mode : searches)
    EXPECT_EQ(run(program, mode), InterpretOutcome::Safe);
  program.reads[1].isAfterSteps = false;
  for (InterpretMode mode : searches)
    EXPECT_EQ(run(program, mode), InterpretOutcome::UnsynchronisedRead);
  // A wait after the steps comes too late for them.
  program.edges[0].policy.waitLower = program.edges[0].policy.waitUpper =
      parseMap("(i, s) -> (i)");
  program.edges[0].isAfterSteps = true;
  for (InterpretMode mode : searches)
    EXPECT_EQ(run(program, mode), InterpretOutcome::UnsynchronisedRead);
}

TEST(InterpreterTest, Deadlock) {
  TileProgram program = makePair();
  program.order = {parseMap("(i) -> (1, i)"), parseMap("(i) -> (0, i)")};
  for (InterpretMode mode : searches) {
    EXPECT_EQ(run(program, mode, 4), InterpretOutcome::Deadlock);
    EXPECT_EQ(run(program, mode, 5), InterpretOutcome::Safe);
  }
}

TEST(InterpreterTest, CountsMustMatch) {
  TileProgram program = makePair();
  program.edges[0].policy.counts = {0};
  EXPECT_EQ(run(program, InterpretMode::Single, 1),
            InterpretOutcome::CountMismatch);
  EXPECT_EQ(run(program, InterpretMode::Exhaustive),
            InterpretOutcome::UnsynchronisedRead);
  program.edges[0].policy.counts = {2};
  EXPECT_EQ(run(program, InterpretMode::Single), InterpretOutcome::Deadlock);
}

TEST(InterpreterTest, LostValues) {
  // A third kernel overwrites the intermediate; it waits for the consumer.
  TileProgram program = makePair();
  program.kernels.push_back({"w", {4}, 1, {}});
  TensorInfo info;
  info.shape = {8};
  info.buffer = 1;
  program.tensors.push_back(info);
  program.writes.push_back({2, 0, 3, program.writes[0].access});
  SemaphorePolicy policy = program.edges[0].policy;
  program.edges.push_back({1, 2, 0, policy});
  program.order = kernelByKernel(program.kernels);
  for (InterpretMode mode : searches)
    EXPECT_EQ(run(program, mode), InterpretOutcome::Safe);
  program.edges[1].producer = 0;
  for (InterpretMode mode : searches)
    EXPECT_EQ(run(program, mode), InterpretOutcome::LostValue);
  // With elements of half the size, tile i overwrites what tile i / 2 reads.
  program.edges[1].producer = 1;
  program.tensors[3].elementBits = 16;
  for (InterpretMode mode : searches)
    EXPECT_EQ(run(program, mode), InterpretOutcome::LostValue);
  program.edges[1].policy.waitLower = program.edges[1].policy.waitUpper =
      parseMap("(i, s) -> (i floordiv 2)");
  for (InterpretMode mode : searches)
    EXPECT_EQ(run(program, mode), InterpretOutcome::Safe);
}

TEST(InterpreterTest, BadAccesses) {
  TileProgram program = makePair();
  program.writes[0].access.map = parseMap("(i, s, p) -> (i + p)");
  EXPECT_EQ(run(program, InterpretMode::Single), InterpretOutcome::BadAccess);
  program = makePair();
  program.writes[0].access.localSizes = {1};
  EXPECT_EQ(run(program, InterpretMode::Single), InterpretOutcome::BadAccess);
}

TEST(InterpreterTest, LimitsAreNotSuccess) {
  TileProgram program = makePair();
  InterpretOptions options;
  options.maxStates = 10;
  EXPECT_EQ(unwrapOrDie(interpretProgram(program, options)).outcome,
            InterpretOutcome::Inconclusive);
  options = {};
  options.maxElements = 10;
  EXPECT_EQ(unwrapOrDie(interpretProgram(program, options)).outcome,
            InterpretOutcome::Inconclusive);
  program.kernels[0].grid[0] = ShapedType::kDynamic;
  EXPECT_NE(llvm::toString(interpretProgram(program).takeError()), "");
}

} // namespace
} // namespace grout::test
