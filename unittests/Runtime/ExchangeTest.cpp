//===- ExchangeTest.cpp - Ranks that exchange data ------------------------===//
//
// Part of Grout. Each rank is a thread with a session of its own.
//
//===----------------------------------------------------------------------===//

#include "TestArtifacts.h"
#include "grout/Runtime/DeviceABI.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <array>
#include <thread>

using namespace grout;
using namespace grout::artifact;
using namespace grout::test;
using testing::HasSubstr;

namespace {

constexpr uint32_t kRanks = 3;

/// A plan of three ranks, which runs `body`. By default, this adds up the first
/// input of all ranks.
ArtifactT makePlan(const char *body = "add_ranks") {
  ArtifactT artifact = makeChain(compileBodies());
  artifact.reference = nullptr;
  PlanT &plan = *artifact.plan;
  LaunchT &launch = *plan.launches.front();
  launch.entries = {body};
  launch.tasks = {Task(0, 0, 0, 0)};
  launch.semaphores = 0;
  launch.exchange = std::make_unique<ExchangeT>();
  launch.exchange->bytes =
      kernelabi::getExchangeHeaderBytes(kRanks) +
      2 * kernelabi::getExchangeBytes(kElements * sizeof(float));
  plan.ranks = kRanks;
  plan.symmetric = launch.exchange->bytes;
  return artifact;
}

struct ExchangeTest : testing::Test {
  ExchangeTest() {
    for (uint32_t rank = 0; rank != kRanks; ++rank) {
      EXPECT_FALSE(memory[rank].allocate(getBytes(), "memory").isError());
      std::memset(memory[rank].data(), 0, memory[rank].size());
      addresses[rank] = memory[rank].data();
    }
  }

  uint64_t getBytes() {
    uint64_t bytes = 0;
    uint32_t ranks = 0;
    EXPECT_EQ(grout_module_symmetric(module.get(), GROUT_PLAN_COMPILED, &bytes,
                                     &ranks),
              GROUT_OK);
    EXPECT_EQ(ranks, kRanks);
    return bytes;
  }

  grout_session_config getConfig(uint32_t rank) {
    grout_session_config config = makeConfig(2);
    config.rank = rank;
    config.ranks = kRanks;
    config.symmetric = addresses.data();
    return config;
  }

  /// The message with which a session of `config` is refused.
  std::string refuse(const grout_session_config &config) {
    grout_session *session = nullptr;
    EXPECT_EQ(grout_session_create(module.get(), &config, &session),
              GROUT_ERROR_INVALID_ARGUMENT);
    return grout_last_error();
  }

  ModulePtr module = load(makePlan());
  std::array<runtime::AlignedBytes, kRanks> memory;
  std::array<void *, kRanks> addresses;
};

/// Runs `session` as rank `rank`. Returns how many elements are wrong.
uint32_t countWrong(const SessionPtr &session, uint32_t rank, int run) {
  ChainBuffers buffers;
  auto *in = reinterpret_cast<float *>(buffers.in.data());
  for (uint32_t i = 0; i != kElements; ++i)
    in[i] = static_cast<float>(i + 1000 * rank + 10 * run);
  if (buffers.run(session) != GROUT_OK)
    return kElements;
  auto *out = reinterpret_cast<const float *>(buffers.out.data());
  uint32_t wrong = 0;
  for (uint32_t i = 0; i != kElements; ++i)
    wrong += out[i] != static_cast<float>(3 * i + 3000 + 30 * run);
  return wrong;
}

} // namespace

TEST_F(ExchangeTest, AllRanksGetTheSumInEachRun) {
  std::array<uint32_t, kRanks> wrong = {};
  std::vector<std::thread> threads;
  for (uint32_t rank = 0; rank != kRanks; ++rank)
    threads.emplace_back([&, rank] {
      grout_session_config config = getConfig(rank);
      config.delay_seed = rank + 1;
      SessionPtr session = createSession(module, config);
      for (int run = 0; run != 50; ++run)
        wrong[rank] += countWrong(session, rank, run);
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(wrong, (std::array<uint32_t, kRanks>{}));
}

TEST_F(ExchangeTest, ARankKnowsItsNumber) {
  module = load(makePlan("tell_rank"));
  for (uint32_t rank = 0; rank != kRanks; ++rank) {
    SessionPtr session = createSession(module, getConfig(rank));
    ChainBuffers buffers;
    ASSERT_EQ(buffers.run(session), GROUT_OK);
    EXPECT_EQ(*reinterpret_cast<const float *>(buffers.out.data()),
              static_cast<float>(rank));
  }
}

TEST_F(ExchangeTest, ARankThatDoesNotComeIsNamed) {
  grout_session_config config = getConfig(1);
  config.timeout_seconds = 0.2;
  SessionPtr session = createSession(module, config);
  ChainBuffers buffers;
  EXPECT_EQ(buffers.run(session), GROUT_ERROR_TIMEOUT);
  EXPECT_THAT(grout_last_error(),
              HasSubstr("of rank 1 waits for rank 0, which has not come for "
                        "0.2 seconds"));
}

TEST_F(ExchangeTest, MemoryThatDoesNotFitIsRefused) {
  grout_session_config config = makeConfig(1);
  EXPECT_THAT(refuse(config), HasSubstr("the plan is for 3 ranks, but the "
                                        "session is given 0"));
  config = getConfig(3);
  EXPECT_THAT(refuse(config), HasSubstr("there is no rank 3 of 3"));
  config = getConfig(0);
  config.symmetric = nullptr;
  EXPECT_THAT(refuse(config), HasSubstr("bytes of symmetric memory of each "
                                        "rank, and the session is given none"));
  addresses[2] = memory[2].data() + 8;
  EXPECT_THAT(refuse(getConfig(0)),
              HasSubstr("which is not a multiple of 256 above 0"));
  addresses[2] = nullptr;
  EXPECT_THAT(refuse(getConfig(0)), HasSubstr("the symmetric memory of rank 2 "
                                              "is at 0, which"));
  addresses[2] = memory[1].data() + 256;
  EXPECT_THAT(refuse(getConfig(0)),
              HasSubstr("the symmetric memory of rank 2 overlaps that of "
                        "another rank"));
}

TEST_F(ExchangeTest, APlanOfOneRankNeedsNoMemory) {
  ModulePtr chain = load(makeChain(compileBodies()));
  uint64_t bytes = 1;
  uint32_t ranks = 0;
  ASSERT_EQ(
      grout_module_symmetric(chain.get(), GROUT_PLAN_COMPILED, &bytes, &ranks),
      GROUT_OK);
  EXPECT_EQ(bytes, 0u);
  EXPECT_EQ(ranks, 1u);
}
