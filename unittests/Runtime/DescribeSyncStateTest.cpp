//===- DescribeSyncStateTest.cpp - How far a launch is, for people --------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "Cuda/DescribeSyncState.h"
#include "grout/Runtime/DeviceABI.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace grout;
using namespace grout::artifact;
using testing::EndsWith;

namespace {

std::string describe(uint32_t semaphores, uint32_t tasks) {
  LaunchT launch;
  launch.name = "mlp";
  launch.semaphores = semaphores;
  for (uint32_t x = 0; x != tasks; ++x)
    launch.tasks.emplace_back(0, x, 0, 0);
  flatbuffers::FlatBufferBuilder builder;
  builder.Finish(Launch::Pack(builder, &launch));
  std::vector<uint32_t> words(kernelabi::getSyncStateBytes(semaphores) /
                              kernelabi::kWordBytes);
  words[0] = 17;
  words[1] = 3;
  words[2] = 2;
  for (uint32_t i = 0; i != semaphores; ++i)
    words[32 + 8 * i] = 100 + i;
  return runtime::cuda::describeSyncState(
      *flatbuffers::GetRoot<Launch>(builder.GetBufferPointer()), words);
}

TEST(DescribeSyncState, NamesTicketsEpochsAndSemaphores) {
  EXPECT_EQ(describe(/*semaphores=*/3, /*tasks=*/24),
            "launch 'mlp': ticket 17 of 24, 3 blocks finished, epoch 2, "
            "semaphores 100 101 102");
}

TEST(DescribeSyncState, LeavesOutWhatALaunchLacks) {
  EXPECT_EQ(describe(/*semaphores=*/0, /*tasks=*/0),
            "launch 'mlp': ticket 17, 3 blocks finished, epoch 2");
}

TEST(DescribeSyncState, ShortensLongListsOfSemaphores) {
  EXPECT_THAT(describe(/*semaphores=*/64, /*tasks=*/1), EndsWith(" 162 163"));
  EXPECT_THAT(describe(/*semaphores=*/65, /*tasks=*/1),
              EndsWith(" 162 163 ..."));
}

} // namespace
