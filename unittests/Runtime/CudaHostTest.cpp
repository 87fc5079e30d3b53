//===- CudaHostTest.cpp - The parts of the CUDA device without a GPU ------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "Cuda/CodeImage.h"
#include "TestArtifacts.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace grout;
using namespace grout::runtime::cuda;
using testing::AnyOf;
using testing::HasSubstr;

namespace {

TEST(CudaTarget, CubinsRunOnTheirMajorVersion) {
  EXPECT_TRUE(targetMatches("sm_90", true, 9, 0));
  EXPECT_TRUE(targetMatches("sm_80", true, 8, 9));
  EXPECT_FALSE(targetMatches("sm_89", true, 8, 0));
  EXPECT_FALSE(targetMatches("sm_80", true, 9, 0));
  EXPECT_FALSE(targetMatches("sm_90", true, 10, 0));
  EXPECT_TRUE(targetMatches("sm_120", true, 12, 1));
}

TEST(CudaTarget, PtxRunsOnLaterVersions) {
  EXPECT_TRUE(targetMatches("sm_80", false, 9, 0));
  EXPECT_TRUE(targetMatches("sm_90", false, 12, 0));
  EXPECT_FALSE(targetMatches("sm_90", false, 8, 9));
}

TEST(CudaTarget, SpecificCodeRunsOnItsVersionOnly) {
  for (bool isCubin : {true, false}) {
    EXPECT_TRUE(targetMatches("sm_90a", isCubin, 9, 0));
    EXPECT_FALSE(targetMatches("sm_90a", isCubin, 10, 0));
    EXPECT_FALSE(targetMatches("sm_100a", isCubin, 10, 3));
    EXPECT_TRUE(targetMatches("sm_100f", isCubin, 10, 3));
    EXPECT_FALSE(targetMatches("sm_100f", isCubin, 11, 0));
  }
}

TEST(CudaTarget, NonsenseMatchesNothing) {
  for (const char *target :
       {"", "sm_", "sm_a", "sm_90x", "sm_90aa", "compute_90", "x86-64", "90",
        "sm_99999999999999999999"})
    EXPECT_FALSE(targetMatches(target, false, 9, 0)) << target;
}

TEST(CudaSession, WithoutAGpuThereIsAClearError) {
  const DriverFunctions *driver = nullptr;
  if (!openDriver(driver).isError())
    GTEST_SKIP() << "this machine has a GPU";
  test::ModulePtr module = test::load(test::makeGpuChain());
  grout_session *session = nullptr;
  EXPECT_EQ(grout_session_create(module.get(), nullptr, &session),
            GROUT_ERROR_NO_DEVICE);
  EXPECT_EQ(session, nullptr);
  EXPECT_THAT(grout_last_error(), AnyOf(HasSubstr("no CUDA driver library"),
                                        HasSubstr("finds no GPU")));
}

} // namespace
