//===- CudaHostTest.cpp - The parts of the CUDA device without a GPU ------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "Cuda/CodeImage.h"
#include "Cuda/ProgrammaticEdges.h"
#include "TestArtifacts.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace grout;
using namespace grout::artifact;
using namespace grout::runtime::cuda;
using testing::AnyOf;
using testing::ElementsAre;
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

/// A plan whose launch i has the given (launch, kind) edges.
using EdgeList = std::vector<std::pair<uint32_t, EdgeKind>>;

std::vector<bool> choose(const std::vector<EdgeList> &edges) {
  PlanT plan;
  for (const EdgeList &list : edges) {
    auto launch = std::make_unique<LaunchT>();
    for (auto [target, kind] : list) {
      auto edge = std::make_unique<EdgeT>();
      edge->launch = target;
      edge->kind = kind;
      launch->after.push_back(std::move(edge));
    }
    plan.launches.push_back(std::move(launch));
  }
  flatbuffers::FlatBufferBuilder builder;
  builder.Finish(Plan::Pack(builder, &plan));
  return chooseProgrammaticLaunches(
      *flatbuffers::GetRoot<Plan>(builder.GetBufferPointer()));
}

constexpr EdgeKind kPdl = EdgeKind::Programmatic;
constexpr EdgeKind kFull = EdgeKind::Full;

TEST(ProgrammaticEdges, AreKeptBetweenNeighbours) {
  EXPECT_THAT(choose({{}, {{0, kPdl}}, {{1, kPdl}}}),
              ElementsAre(false, true, true));
  EXPECT_THAT(choose({{}, {{0, kFull}}, {{1, kPdl}}}),
              ElementsAre(false, false, true));
}

TEST(ProgrammaticEdges, AreAllButFullOnes) {
  EXPECT_THAT(choose({{}, {{0, EdgeKind::Tile}}, {{1, EdgeKind::LaunchOrder}}}),
              ElementsAre(false, true, true));
  // What waits by itself may wait for any launch.
  EXPECT_THAT(
      choose(
          {{}, {{0, kPdl}}, {{1, EdgeKind::LaunchOrder}, {0, EdgeKind::Tile}}}),
      ElementsAre(false, true, true));
  // An edge to another launch than the one before says nothing of that one.
  EXPECT_THAT(choose({{}, {{0, kPdl}}, {{0, EdgeKind::Tile}}}),
              ElementsAre(false, true, false));
}

TEST(ProgrammaticEdges, OthersBecomeStreamOrder) {
  EXPECT_THAT(choose({{}, {}, {{0, kPdl}}}), ElementsAre(false, false, false));
  EXPECT_THAT(choose({{}, {{0, kPdl}, {0, kFull}}}), ElementsAre(false, false));
}

TEST(ProgrammaticEdges, EarlierLaunchesMustHaveEnded) {
  // Launch 2 may start before launch 0 has ended, as launch 1 may.
  EXPECT_THAT(choose({{}, {{0, kPdl}}, {{1, kPdl}, {0, kFull}}}),
              ElementsAre(false, true, false));
  // Launch 1 waits for launch 0, so launch 2 knows that it has ended.
  EXPECT_THAT(choose({{}, {{0, kFull}}, {{1, kPdl}, {0, kFull}}}),
              ElementsAre(false, false, true));
  EXPECT_THAT(choose({{}, {{0, kFull}}, {{1, kPdl}}, {{2, kPdl}, {0, kFull}}}),
              ElementsAre(false, false, true, true));
  EXPECT_THAT(choose({{}, {{0, kFull}}, {{1, kPdl}}, {{2, kPdl}, {1, kFull}}}),
              ElementsAre(false, false, true, false));
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
