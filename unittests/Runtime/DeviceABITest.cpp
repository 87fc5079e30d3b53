//===- DeviceABITest.cpp - What compiler and runtime agree on -------------===//
//
// Part of Grout. The numbers of docs/KernelABI.md, which an artifact of today
// must find in every runtime of its version.
//
//===----------------------------------------------------------------------===//

#include "grout/Runtime/DeviceABI.h"

#include "gtest/gtest.h"

#include <cstddef>

using namespace grout;

namespace {

TEST(DeviceABI, StatesAreWholeGranules) {
  EXPECT_EQ(kernelabi::getSyncStateBytes(0), 128u);
  EXPECT_EQ(kernelabi::getSyncStateBytes(1), 256u);
  EXPECT_EQ(kernelabi::getSyncStateBytes(4), 256u);
  EXPECT_EQ(kernelabi::getSyncStateBytes(5), 384u);
  EXPECT_EQ(kernelabi::getSyncStateBytes(kernelabi::kMaxSemaphores),
            (128u << 20) + 128u);
}

TEST(DeviceABI, RecordsHaveTheWordsOfThePage) {
  auto getWord = [](size_t offset) {
    return kernelabi::kRecordWord + offset / kernelabi::kWordBytes;
  };
  EXPECT_EQ(getWord(offsetof(kernelabi::WatchdogRecord, semaphore)), 17u);
  EXPECT_EQ(getWord(offsetof(kernelabi::WatchdogRecord, target)), 18u);
  EXPECT_EQ(getWord(offsetof(kernelabi::WatchdogRecord, seen)), 19u);
  EXPECT_EQ(getWord(offsetof(kernelabi::WatchdogRecord, count)), 20u);
  EXPECT_EQ(getWord(offsetof(kernelabi::WatchdogRecord, epoch)), 21u);
  EXPECT_EQ(getWord(offsetof(kernelabi::WatchdogRecord, block)), 22u);
  EXPECT_EQ(getWord(offsetof(kernelabi::WatchdogRecord, body)), 23u);
  EXPECT_EQ(getWord(offsetof(kernelabi::WatchdogRecord, afterRank)), 27u);
  EXPECT_EQ(getWord(sizeof(kernelabi::WatchdogRecord)), 28u);
}

TEST(DeviceABI, TargetsAreReachedAcrossTheWrap) {
  EXPECT_EQ(kernelabi::getTarget(0, 8), 8u);
  EXPECT_FALSE(kernelabi::isReached(7, 8));
  EXPECT_TRUE(kernelabi::isReached(8, 8));
  // The last run before counters wrap around, and the next one.
  uint32_t last = kernelabi::getTarget((1u << 29) - 1, 8);
  EXPECT_EQ(last, 0u);
  EXPECT_FALSE(kernelabi::isReached(last - 1, last));
  EXPECT_TRUE(kernelabi::isReached(last, last));
  EXPECT_FALSE(kernelabi::isReached(last, kernelabi::getTarget(1u << 29, 8)));
}

/// Registers come in steps of 8 a thread, and are handed over within a block.
TEST(DeviceABI, RegisterSharesFit) {
  auto check = [](const kernelabi::RegisterShare &share, uint32_t consumers) {
    constexpr uint32_t warpgroup = 4 * kernelabi::kWarpThreads;
    for (uint32_t count : {share.initial, share.producer, share.consumer})
      EXPECT_EQ(count % 8, 0u);
    EXPECT_LE(share.producer + consumers * share.consumer,
              (1 + consumers) * share.initial);
    EXPECT_LE((1 + consumers) * warpgroup * share.initial,
              kernelabi::kProcessorRegisters);
  };
  for (uint32_t i = 0; i != kernelabi::kMaxConsumerWarpgroups; ++i)
    check(kernelabi::kRegisterShares[i], i + 1);
  check(kernelabi::kWideRegisterShare, 1);
}

} // namespace
