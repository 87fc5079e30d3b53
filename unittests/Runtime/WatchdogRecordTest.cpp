//===- WatchdogRecordTest.cpp - Reports of waits that gave up -------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "Cuda/WatchdogRecord.h"
#include "Session.h"
#include "TestArtifacts.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace grout;
using namespace grout::artifact;
using namespace grout::runtime::cuda;
using grout::runtime::Status;
using testing::HasSubstr;

namespace {

class WatchdogRecord : public testing::Test {
protected:
  WatchdogRecord() {
    LaunchT launch;
    launch.name = "mlp";
    launch.entries = {"mlp_chain0"};
    launch.semaphores = 4;
    launch.debug_sync_milliseconds = 250;
    for (uint32_t body : {0u, 1u})
      for (uint32_t x : {0u, 1u, 2u})
        launch.tasks.emplace_back(body, x, 0, 0);
    builder.Finish(Launch::Pack(builder, &launch));
  }

  Status check() const {
    return checkWatchdogRecord(
        *flatbuffers::GetRoot<Launch>(builder.GetBufferPointer()), words);
  }

  flatbuffers::FlatBufferBuilder builder;
  std::vector<uint32_t> words = std::vector<uint32_t>(kWatchdogWords);
};

TEST_F(WatchdogRecord, IsSilentWhileNothingGaveUp) {
  // A ticket, finished blocks and an epoch are no record.
  words[0] = words[1] = words[2] = 7;
  EXPECT_EQ(check().message(), "");
  EXPECT_FALSE(check().isError());
}

TEST_F(WatchdogRecord, NamesAllThatIsKnown) {
  uint32_t record[] = {1, 3, 16, 15, 8, 1, 65, 1, 2, 0, 0};
  std::copy(std::begin(record), std::end(record), words.begin() + 16);
  EXPECT_EQ(check().code(), GROUT_ERROR_TIMEOUT);
  EXPECT_EQ(check().message(),
            "launch 'mlp', kernel 'mlp_chain0', task 5 (body 1, tile 2, 0, 0), "
            "block 65 waits for semaphore 3: it expects 16 (8 posts in epoch "
            "1) and sees 15 (7 posts); it gave up after 250 milliseconds, and "
            "what the run wrote is undefined");
}

TEST_F(WatchdogRecord, CountsFromTheEpochAcrossTheWrapAround) {
  // Epoch 2^32 - 1 of a semaphore with 3 posts begins at -3.
  uint32_t record[] = {1, 0, 0, 0xffffffff, 3, 0xffffffff, 0, 0, 0, 0, 0};
  std::copy(std::begin(record), std::end(record), words.begin() + 16);
  EXPECT_THAT(check().message(),
              HasSubstr("expects 0 (3 posts in epoch 4294967295) and sees "
                        "4294967295 (2 posts)"));
}

TEST_F(WatchdogRecord, ShowsCountersThatAreBehindTheirEpoch) {
  uint32_t record[] = {1, 0, 8, 2, 4, 1, 0, 0, 0, 0, 0};
  std::copy(std::begin(record), std::end(record), words.begin() + 16);
  EXPECT_THAT(check().message(), HasSubstr("and sees 2 (-2 posts)"));
}

TEST_F(WatchdogRecord, NeedNotNameATask) {
  uint32_t record[] = {1, 0, 8, 7, 8, 0, 2, 0xffffffff, 0, 0, 0};
  std::copy(std::begin(record), std::end(record), words.begin() + 16);
  EXPECT_THAT(check().message(),
              HasSubstr("kernel 'mlp_chain0', block 2 waits"));
}

TEST_F(WatchdogRecord, NamesATaskThatIsNotInTheList) {
  uint32_t record[] = {1, 0, 8, 7, 8, 0, 2, 1, 9, 0, 0};
  std::copy(std::begin(record), std::end(record), words.begin() + 16);
  EXPECT_THAT(check().message(), HasSubstr(", task (body 1, tile 9, 0, 0)"));
}

TEST_F(WatchdogRecord, NamesTheRankThatDoesNotCome) {
  uint32_t record[] = {1, 0, 0, 0, 0, 0, 5, 0, 0, 0, 0, 3};
  std::copy(std::begin(record), std::end(record), words.begin() + 16);
  EXPECT_EQ(check().message(),
            "launch 'mlp', kernel 'mlp_chain0', block 5 waits for data of rank "
            "2; it gave up after 250 milliseconds, and what the run wrote is "
            "undefined");
}

/// A session whose runs succeed, and in which a wait gives up.
class StalledSession : public runtime::Session {
public:
  explicit StalledSession(
      const std::shared_ptr<const runtime::LoadedModule> &module)
      : Session(module, *module->plan(GROUT_PLAN_COMPILED), test::makeConfig(1),
                runtime::SymmetricMemory()) {}

  bool gaveUp = false;

protected:
  Status checkStream(void *) const override { return Status::ok(); }
  Status runPlan(const runtime::BoundBuffers &, void *, void *) override {
    return Status::ok();
  }
  Status advanceSyncState(uint32_t) override { return Status::ok(); }
  Status takeTrace(runtime::Trace &) override { return Status::ok(); }
  Status checkWaits() const override {
    return gaveUp ? Status::error(GROUT_ERROR_TIMEOUT, "gave up")
                  : Status::ok();
  }
};

TEST(Watchdog, ASessionInWhichAWaitGaveUpRunsNoMore) {
  std::vector<uint8_t> file = test::serialise(test::makeGpuChain());
  std::shared_ptr<const runtime::LoadedModule> module;
  ASSERT_FALSE(
      runtime::LoadedModule::loadMemory(file.data(), file.size(), module)
          .isError());
  StalledSession session(module);
  test::ChainBuffers buffers;
  const void *inputs[] = {buffers.in.data(), buffers.bias.data()};
  void *outputs[] = {buffers.out.data()};
  auto run = [&] {
    return session.run(inputs, outputs, std::nullopt, nullptr);
  };
  EXPECT_FALSE(run().isError());
  EXPECT_FALSE(session.check().isError());
  EXPECT_FALSE(run().isError());
  session.gaveUp = true;
  EXPECT_EQ(session.check().code(), GROUT_ERROR_TIMEOUT);
  EXPECT_THAT(run().message(), HasSubstr("create a new session"));
  // What was found stays found.
  EXPECT_EQ(session.check().code(), GROUT_ERROR_TIMEOUT);
}

} // namespace
