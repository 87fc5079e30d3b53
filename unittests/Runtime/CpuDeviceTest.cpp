//===- CpuDeviceTest.cpp - The CPU device ---------------------------------===//
//
// Part of Grout. Runs the two-kernel chain of TileBodies.c, right and with
// faults. The sanitizer builds run these tests too.
//
//===----------------------------------------------------------------------===//

#include "TestArtifacts.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <chrono>
#include <cstring>

using namespace grout;
using namespace grout::test;
using testing::AllOf;
using testing::HasSubstr;

namespace {

class Workers : public testing::TestWithParam<uint32_t> {};

TEST_P(Workers, ComputesTheChain) {
  ModulePtr module = load(makeChain(compileBodies()));
  SessionPtr session = createSession(module, makeConfig(GetParam()));
  ASSERT_TRUE(session);
  ChainBuffers buffers;
  for (int replay = 0; replay != 20; ++replay) {
    ASSERT_EQ(buffers.run(session), GROUT_OK) << grout_last_error();
    ASSERT_EQ(buffers.countWrong(), 0u) << "replay " << replay;
  }
}

TEST_P(Workers, ComputesTheChainWithDelays) {
  ModulePtr module = load(makeChain(compileBodies()));
  for (uint64_t seed = 1; seed != 6; ++seed) {
    grout_session_config config = makeConfig(GetParam());
    config.delay_seed = seed;
    SessionPtr session = createSession(module, config);
    ASSERT_TRUE(session);
    ChainBuffers buffers;
    for (int replay = 0; replay != 3; ++replay) {
      ASSERT_EQ(buffers.run(session), GROUT_OK) << grout_last_error();
      ASSERT_EQ(buffers.countWrong(), 0u) << "seed " << seed;
    }
  }
}

TEST_P(Workers, CountersWrapAround) {
  // Targets (epoch + 1) * 4 pass 2^31 and 2^32 at these epochs.
  for (uint32_t epoch : {(1u << 29) - 4, (1u << 30) - 4, 0u - 4}) {
    ModulePtr module = load(makeChain(compileBodies()));
    SessionPtr session = createSession(module, makeConfig(GetParam()));
    ASSERT_TRUE(session);
    ChainBuffers buffers;
    ASSERT_EQ(buffers.run(session), GROUT_OK) << grout_last_error();
    ASSERT_EQ(grout_session_skip_epochs(session.get(), epoch), GROUT_OK)
        << grout_last_error();
    for (int replay = 0; replay != 10; ++replay) {
      ASSERT_EQ(buffers.run(session), GROUT_OK) << grout_last_error();
      ASSERT_EQ(buffers.countWrong(), 0u);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(OneToEight, Workers, testing::Range(1u, 9u));

/// Where a fault is that waits no longer protect from, tiles race by design,
/// and the thread sanitizer may notice.
#if defined(GROUT_TEST_THREAD_SANITIZER)
#define SKIP_IF_RACES_FAIL() GTEST_SKIP() << "its tiles race by design"
#else
#define SKIP_IF_RACES_FAIL() static_cast<void>(0)
#endif

/// Runs the chain with a fault once.
static grout_status runFaulty(const char *fault, uint32_t workers,
                              double timeoutSeconds = 20) {
  ModulePtr module = load(makeChain(compileBodies(fault)));
  grout_session_config config = makeConfig(workers);
  config.timeout_seconds = timeoutSeconds;
  SessionPtr session = createSession(module, config);
  ChainBuffers buffers;
  return buffers.run(session);
}

TEST(CpuDevice, WatchdogReportsAMissingPost) {
  SKIP_IF_RACES_FAIL();
  auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(runFaulty("-DFAULT_MISSING_POST", 4, 0.2), GROUT_ERROR_TIMEOUT);
  EXPECT_THAT(grout_last_error(),
              AllOf(HasSubstr("launch 'chain', task 2"),
                    HasSubstr("'mirror', tile 2, "),
                    HasSubstr("waits for semaphore 2"), HasSubstr("expects 4"),
                    HasSubstr("sees 3")));
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
}

TEST(CpuDevice, WatchdogToleratesSlowProgress) {
  // All runs together take longer than the timeout, but something always moves.
  ModulePtr module = load(makeChain(compileBodies()));
  grout_session_config config = makeConfig(2);
  config.timeout_seconds = 0.5;
  config.delay_seed = 9;
  SessionPtr session = createSession(module, config);
  ASSERT_TRUE(session);
  ChainBuffers buffers;
  for (int replay = 0; replay != 50; ++replay)
    ASSERT_EQ(buffers.run(session), GROUT_OK) << grout_last_error();
}

#if !defined(GROUT_TEST_THREAD_SANITIZER) // which has RaceTest.cpp for this
TEST(CpuDevice, MissingWaitIsNoticed) {
  // The poisoned intermediate makes too early a read wrong. With delays and
  // many workers some run of many is.
  ModulePtr module = load(makeChain(compileBodies("-DFAULT_MISSING_WAIT")));
  uint32_t wrong = 0;
  for (uint64_t seed = 1; seed != 200 && wrong == 0; ++seed) {
    grout_session_config config = makeConfig(8);
    config.delay_seed = seed;
    SessionPtr session = createSession(module, config);
    ASSERT_TRUE(session);
    ChainBuffers buffers;
    ASSERT_EQ(buffers.run(session), GROUT_OK) << grout_last_error();
    wrong = buffers.countWrong();
  }
  EXPECT_GT(wrong, 0u);
}
#endif

TEST(CpuDevice, ExtraPostIsReported) {
  SKIP_IF_RACES_FAIL();
  EXPECT_EQ(runFaulty("-DFAULT_EXTRA_POST", 4), GROUT_ERROR_SYNCHRONISATION);
  EXPECT_THAT(grout_last_error(),
              HasSubstr("posted semaphore 3 5 times, but tiles wait for 4"));
}

TEST(CpuDevice, DifferentCountsAreReported) {
  EXPECT_EQ(runFaulty("-DFAULT_TWO_COUNTS", 1), GROUT_ERROR_SYNCHRONISATION);
  EXPECT_THAT(grout_last_error(), HasSubstr("but another wait asked for"));
}

TEST(CpuDevice, SemaphoresOutOfRangeAreReported) {
  SKIP_IF_RACES_FAIL();
  EXPECT_EQ(runFaulty("-DFAULT_BAD_POST", 4), GROUT_ERROR_SYNCHRONISATION);
  EXPECT_THAT(grout_last_error(), HasSubstr("posts semaphore 1000 of 4"));
  EXPECT_EQ(runFaulty("-DFAULT_BAD_WAIT", 4), GROUT_ERROR_SYNCHRONISATION);
  EXPECT_THAT(grout_last_error(), HasSubstr("waits for semaphore 1000 of 4"));
}

TEST(CpuDevice, ASessionIsUselessAfterAFailure) {
  SKIP_IF_RACES_FAIL();
  ModulePtr module = load(makeChain(compileBodies("-DFAULT_EXTRA_POST")));
  SessionPtr session = createSession(module, makeConfig(2));
  ChainBuffers buffers;
  EXPECT_EQ(buffers.run(session), GROUT_ERROR_SYNCHRONISATION);
  EXPECT_EQ(buffers.run(session), GROUT_ERROR_INVALID_ARGUMENT);
  EXPECT_THAT(grout_last_error(), HasSubstr("create a new session"));
}

TEST(CpuDevice, TooFewWorkersAreRefused) {
  artifact::ArtifactT artifact = makeChain(compileBodies());
  artifact.plan->launches[0]->min_residents = 5;
  ModulePtr module = load(artifact);
  grout_session_config config = makeConfig(3);
  grout_session *session = nullptr;
  EXPECT_EQ(grout_session_create(module.get(), &config, &session),
            GROUT_ERROR_TOO_FEW_RESIDENTS);
  EXPECT_EQ(session, nullptr);
  EXPECT_THAT(grout_last_error(),
              AllOf(HasSubstr("needs 5 resident"), HasSubstr("3 workers")));
  config.workers = 5;
  EXPECT_TRUE(createSession(module, config));
}

TEST(CpuDevice, WhoAsksForNoNumberGetsEnoughWorkers) {
  artifact::ArtifactT artifact = makeChain(compileBodies());
  artifact.plan->launches[0]->min_residents = 99;
  EXPECT_TRUE(createSession(load(artifact), makeConfig(0)));
  artifact.plan->launches[0]->min_residents = 1025;
  ModulePtr module = load(artifact);
  grout_session_config config = makeConfig(0);
  grout_session *session = nullptr;
  EXPECT_EQ(grout_session_create(module.get(), &config, &session),
            GROUT_ERROR_TOO_FEW_RESIDENTS);
  EXPECT_THAT(grout_last_error(), HasSubstr("1024 workers"));
}

static std::string createError(const artifact::ArtifactT &artifact,
                               grout_status expected) {
  ModulePtr module = load(artifact);
  grout_session_config config = makeConfig(2);
  grout_session *session = nullptr;
  EXPECT_EQ(grout_session_create(module.get(), &config, &session), expected);
  EXPECT_EQ(session, nullptr);
  SessionPtr owned(session);
  return grout_last_error();
}

TEST(CpuDevice, ForeignTargetsAreRefused) {
  artifact::ArtifactT artifact = makeChain(compileBodies("-DMARK_LOADING"));
  unsetenv("GROUT_TEST_WAS_LOADED");
  artifact.modules[0]->target = "x86-64-v9";
  EXPECT_THAT(createError(artifact, GROUT_ERROR_WRONG_TARGET),
              AllOf(HasSubstr("x86-64-v9"), HasSubstr("does not know")));
  artifact.modules[0]->target = "riscv64";
  artifact.modules[0]->data = fakeElf(/*EM_RISCV*/ 243);
  EXPECT_THAT(createError(artifact, GROUT_ERROR_WRONG_TARGET),
              HasSubstr("this processor is"));
  EXPECT_EQ(getenv("GROUT_TEST_WAS_LOADED"), nullptr);
}

TEST(CpuDevice, BrokenCodeIsRefused) {
  artifact::ArtifactT artifact = makeChain(compileBodies());
  artifact.plan->launches[0]->entries[1] = "nowhere";
  EXPECT_THAT(createError(artifact, GROUT_ERROR_LOAD),
              AllOf(HasSubstr("'nowhere'"), HasSubstr("does not export")));
  artifact = makeChain(fakeElf(/*EM_X86_64*/ 62));
  EXPECT_THAT(createError(artifact, GROUT_ERROR_LOAD),
              HasSubstr("cannot load the tile bodies"));
}

TEST(CpuDevice, ConstantsAndOffsetsReachTheBodies) {
  artifact::ArtifactT artifact = makeChain(compileBodies());
  // The bias becomes the second half of a constant; the input stays unused.
  auto constant = std::make_unique<artifact::BufferT>();
  constant->kind = artifact::BufferKind::Constant;
  constant->tensor = std::make_unique<artifact::TensorT>();
  constant->tensor->name = "table";
  constant->tensor->element_type = artifact::ElementType::F32;
  constant->tensor->shape = {2, kColumns};
  std::vector<float> table(2 * kColumns, -1);
  for (int64_t i = 0; i != kColumns; ++i)
    table[static_cast<size_t>(kColumns + i)] = static_cast<float>(i);
  constant->data.resize(table.size() * sizeof(float));
  std::memcpy(constant->data.data(), table.data(), constant->data.size());
  artifact.plan->buffers.push_back(std::move(constant));
  auto &arg = *artifact.plan->launches[0]->arguments[2]->value.AsBufferArg();
  arg.buffer = 4;
  arg.offset = kColumns * sizeof(float);

  ModulePtr module = load(artifact);
  SessionPtr session = createSession(module, makeConfig(3));
  ASSERT_TRUE(session);
  ChainBuffers buffers;
  ASSERT_EQ(buffers.run(session), GROUT_OK) << grout_last_error();
  EXPECT_EQ(buffers.countWrong(), 0u);
}

TEST(CpuDevice, LaunchesRunInOrder) {
  // The chain as two launches without semaphores' help: order alone makes it
  // right, so the second launch posts for itself.
  artifact::ArtifactT artifact =
      makeChain(compileBodies("-DFAULT_MISSING_WAIT"));
  auto &launches = artifact.plan->launches;
  auto second = std::make_unique<artifact::LaunchT>();
  artifact::LaunchT &first = *launches[0];
  second->name = "mirror";
  second->entries = {"mirror"};
  for (uint32_t i = 0; i != 4; ++i) {
    artifact::BufferArgT arg;
    arg.buffer = i;
    auto argument = std::make_unique<artifact::ArgumentT>();
    argument->value.Set(std::move(arg));
    second->arguments.push_back(std::move(argument));
  }
  size_t half = first.tasks.size() / 2;
  for (size_t i = half; i != first.tasks.size(); ++i)
    second->tasks.emplace_back(0, first.tasks[i].x(), first.tasks[i].y(), 0);
  first.tasks.resize(half);
  launches.push_back(std::move(second));

  ModulePtr module = load(artifact);
  for (uint64_t seed = 1; seed != 20; ++seed) {
    grout_session_config config = makeConfig(8);
    config.delay_seed = seed;
    SessionPtr session = createSession(module, config);
    ASSERT_TRUE(session);
    ChainBuffers buffers;
    ASSERT_EQ(buffers.run(session), GROUT_OK) << grout_last_error();
    EXPECT_EQ(buffers.countWrong(), 0u);
  }
}

TEST(CpuDevice, SessionsKeepTheirCodeApart) {
  // glibc must not take the second object for the first one.
  ModulePtr right = load(makeChain(compileBodies()));
  ModulePtr wrong = load(makeChain(compileBodies("-DFAULT_NAN")));
  ChainBuffers buffers;
  SessionPtr first = createSession(right, makeConfig(2));
  SessionPtr second = createSession(wrong, makeConfig(2));
  ASSERT_EQ(buffers.run(second), GROUT_OK);
  EXPECT_EQ(buffers.countWrong(), kRowBlocks);
  ASSERT_EQ(buffers.run(first), GROUT_OK);
  EXPECT_EQ(buffers.countWrong(), 0u);
  first.reset();
  first = createSession(wrong, makeConfig(2));
  ASSERT_EQ(buffers.run(first), GROUT_OK);
  EXPECT_EQ(buffers.countWrong(), kRowBlocks);
}

TEST(CpuDevice, SessionsOutliveTheirModule) {
  ModulePtr module = load(makeChain(compileBodies()));
  SessionPtr session = createSession(module, makeConfig(2));
  module.reset();
  ChainBuffers buffers;
  ASSERT_EQ(buffers.run(session), GROUT_OK);
  EXPECT_EQ(buffers.countWrong(), 0u);
}

TEST(CpuDevice, TheReferencePlanRuns) {
  ModulePtr module = load(makeChain(compileBodies()));
  grout_session_config config = makeConfig(2);
  config.plan = GROUT_PLAN_REFERENCE;
  SessionPtr session = createSession(module, config);
  ASSERT_TRUE(session);
  runtime::AlignedBytes in, bias, out;
  ASSERT_FALSE(in.allocate(kElements * 8, "in").isError());
  ASSERT_FALSE(bias.allocate(kColumns * 8, "bias").isError());
  ASSERT_FALSE(out.allocate(kElements * 8, "out").isError());
  std::fill_n(reinterpret_cast<double *>(in.data()), kElements, 0.25);
  std::fill_n(reinterpret_cast<double *>(bias.data()), kColumns, 4.0);
  const void *inputs[] = {in.data(), bias.data()};
  void *outputs[] = {out.data()};
  ASSERT_EQ(grout_session_run(session.get(), inputs, outputs, nullptr),
            GROUT_OK);
  for (uint32_t i = 0; i != kElements; ++i)
    ASSERT_EQ(reinterpret_cast<double *>(out.data())[i], 7.0);
}

} // namespace
