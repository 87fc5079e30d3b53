//===- StreamPlanTest.cpp - Streams and events against edges --------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "Cuda/StreamPlan.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <random>
#include <set>

using namespace grout;
using namespace grout::artifact;
using namespace grout::runtime::cuda;
using testing::ElementsAre;
using testing::IsEmpty;

namespace {

/// Edges from launches, by number.
using EdgeList = std::vector<std::pair<uint32_t, EdgeKind>>;

struct TestLaunch {
  EdgeList edges;
  uint32_t branch = 0;
};

StreamPlan getStreams(const std::vector<TestLaunch> &launches) {
  PlanT plan;
  for (const TestLaunch &made : launches) {
    auto launch = std::make_unique<LaunchT>();
    launch->branch = made.branch;
    for (auto [from, kind] : made.edges) {
      auto edge = std::make_unique<EdgeT>();
      edge->launch = from;
      edge->kind = kind;
      launch->after.push_back(std::move(edge));
    }
    plan.launches.push_back(std::move(launch));
  }
  flatbuffers::FlatBufferBuilder builder;
  builder.Finish(Plan::Pack(builder, &plan));
  return planStreams(*flatbuffers::GetRoot<Plan>(builder.GetBufferPointer()));
}

/// Which launches of a plan with one branch start early.
std::vector<bool> getEarly(const std::vector<EdgeList> &edges) {
  std::vector<TestLaunch> launches;
  for (const EdgeList &list : edges)
    launches.push_back({list});
  std::vector<bool> early;
  for (const StreamStep &step : getStreams(launches).steps) {
    EXPECT_FALSE(step.afterStart || step.isEndAwaited || step.isTriggerAwaited);
    early.push_back(step.programmatic);
  }
  return early;
}

constexpr EdgeKind kPdl = EdgeKind::Programmatic;
constexpr EdgeKind kFull = EdgeKind::Full;

//===----------------------------------------------------------------------===//
// One branch
//===----------------------------------------------------------------------===//

TEST(StreamPlan, ProgrammaticEdgesAreKeptBetweenNeighbours) {
  EXPECT_THAT(getEarly({{}, {{0, kPdl}}, {{1, kPdl}}}),
              ElementsAre(false, true, true));
  EXPECT_THAT(getEarly({{}, {{0, kFull}}, {{1, kPdl}}}),
              ElementsAre(false, false, true));
}

TEST(StreamPlan, AllEdgesButFullOnesAreProgrammatic) {
  EXPECT_THAT(
      getEarly({{}, {{0, EdgeKind::Tile}}, {{1, EdgeKind::LaunchOrder}}}),
      ElementsAre(false, true, true));
  // What waits by itself may wait for any launch.
  EXPECT_THAT(
      getEarly(
          {{}, {{0, kPdl}}, {{1, EdgeKind::LaunchOrder}, {0, EdgeKind::Tile}}}),
      ElementsAre(false, true, true));
  // An edge to another launch than the one before says nothing of that one.
  EXPECT_THAT(getEarly({{}, {{0, kPdl}}, {{0, EdgeKind::Tile}}}),
              ElementsAre(false, true, false));
}

TEST(StreamPlan, OtherEdgesBecomeStreamOrder) {
  EXPECT_THAT(getEarly({{}, {}, {{0, kPdl}}}),
              ElementsAre(false, false, false));
  EXPECT_THAT(getEarly({{}, {{0, kPdl}, {0, kFull}}}),
              ElementsAre(false, false));
}

TEST(StreamPlan, EarlierLaunchesMustHaveEnded) {
  // Launch 2 may start before launch 0 has ended, as launch 1 may.
  EXPECT_THAT(getEarly({{}, {{0, kPdl}}, {{1, kPdl}, {0, kFull}}}),
              ElementsAre(false, true, false));
  // Launch 1 waits for launch 0, so launch 2 knows that it has ended.
  EXPECT_THAT(getEarly({{}, {{0, kFull}}, {{1, kPdl}, {0, kFull}}}),
              ElementsAre(false, false, true));
  EXPECT_THAT(
      getEarly({{}, {{0, kFull}}, {{1, kPdl}}, {{2, kPdl}, {0, kFull}}}),
      ElementsAre(false, false, true, true));
  EXPECT_THAT(
      getEarly({{}, {{0, kFull}}, {{1, kPdl}}, {{2, kPdl}, {1, kFull}}}),
      ElementsAre(false, false, true, false));
}

//===----------------------------------------------------------------------===//
// Several branches
//===----------------------------------------------------------------------===//

TEST(StreamPlan, BranchesForkAndJoin) {
  StreamPlan streams = getStreams(
      {{}, {{{0, kPdl}}}, {{{0, kPdl}}, 1}, {{{1, kPdl}, {2, kPdl}}}});
  EXPECT_EQ(streams.branches, 2u);
  EXPECT_TRUE(streams.steps[1].programmatic);
  EXPECT_THAT(streams.steps[2].triggers, ElementsAre(0));
  EXPECT_FALSE(streams.steps[2].programmatic);
  EXPECT_THAT(streams.steps[3].triggers, ElementsAre(2));
  EXPECT_TRUE(streams.steps[3].programmatic);
  EXPECT_TRUE(streams.steps[2].isTriggerAwaited);
  EXPECT_THAT(streams.joins, IsEmpty());
}

TEST(StreamPlan, KindsOfWaitsAreNotMixed) {
  std::vector<TestLaunch> launches = {
      {}, {{{0, kPdl}}}, {{{0, kPdl}}, 1}, {{{1, kPdl}, {2, kFull}}}};
  StreamPlan streams = getStreams(launches);
  EXPECT_THAT(streams.steps[3].ends, ElementsAre(2));
  EXPECT_FALSE(streams.steps[3].programmatic);
  // Without an edge it starts when what is before it in its stream has ended.
  launches[3].edges = {{2, kPdl}};
  streams = getStreams(launches);
  EXPECT_THAT(streams.steps[3].ends, ElementsAre(2));
  EXPECT_THAT(streams.steps[3].triggers, IsEmpty());
  EXPECT_FALSE(streams.steps[3].programmatic);
}

TEST(StreamPlan, BranchesStartBehindWhatPrecedesThePlan) {
  StreamPlan streams = getStreams({{{}, 1}, {{}, 0}, {{{0, kPdl}}, 1}});
  EXPECT_TRUE(streams.steps[0].afterStart);
  EXPECT_FALSE(streams.steps[1].afterStart);
  EXPECT_TRUE(streams.steps[2].programmatic);
  EXPECT_THAT(streams.joins, ElementsAre(2));
}

TEST(StreamPlan, EdgesThatOthersImplyNeedNoEvent) {
  StreamPlan streams = getStreams({{},
                                   {{{0, kFull}}, 1},
                                   {{{1, kFull}}, 1},
                                   {{{1, kFull}, {2, kFull}}},
                                   {{{1, kFull}, {3, kPdl}}}});
  EXPECT_THAT(streams.steps[3].ends, ElementsAre(2));
  EXPECT_THAT(streams.steps[4].ends, IsEmpty());
  // Launch 1 has ended when launch 3 starts.
  EXPECT_TRUE(streams.steps[4].programmatic);
}

TEST(StreamPlan, WhatEndsByItselfIsNotEarlyForOthers) {
  // Launch 2 waits for launch 1. Launch 3 may start before launch 2 does, so it
  // must not overlap that if it needs launch 1 at its start.
  std::vector<TestLaunch> launches = {
      {}, {{}, 1}, {{{0, kFull}, {1, kFull}}}, {{{2, kPdl}}}};
  EXPECT_TRUE(getStreams(launches).steps[3].programmatic);
  launches[3].edges = {{2, kPdl}, {2, kFull}};
  EXPECT_FALSE(getStreams(launches).steps[3].programmatic);
}

//===----------------------------------------------------------------------===//
// Against what streams do
//===----------------------------------------------------------------------===//

/// What streams promise of one launch: the launches that have ended when it
/// starts, when its kernel has waited for launches, and when it has ended.
struct Promise {
  std::set<uint32_t> atStart, atUse, atEnd;
};

/// Runs streams as CUDA does, with `isLeftOut` saying which wait for which
/// launch is left out, and returns what each launch is promised. The last
/// promise is that of the caller's stream behind the plan.
template <typename IsLeftOut>
std::vector<Promise> runStreams(const StreamPlan &streams,
                                IsLeftOut isLeftOut) {
  std::vector<Promise> promises;
  std::vector<int> last(streams.branches, -1);
  auto add = [&](uint32_t index, const StreamStep &step) {
    Promise promise;
    // Kernels trigger when they have waited, or before.
    auto addTrigger = [&](uint32_t launch) {
      const Promise &before = promises[launch];
      promise.atStart.insert(before.atStart.begin(), before.atStart.end());
      promise.atUse.insert(before.atEnd.begin(), before.atEnd.end());
    };
    auto addEnd = [&](uint32_t launch) {
      const Promise &before = promises[launch];
      promise.atStart.insert(before.atEnd.begin(), before.atEnd.end());
    };
    for (uint32_t other : step.ends)
      if (!isLeftOut(index, other))
        addEnd(other);
    for (uint32_t other : step.triggers)
      if (!isLeftOut(index, other))
        addTrigger(other);
    int previous = last[step.branch];
    if (previous >= 0 && step.programmatic)
      addTrigger(static_cast<uint32_t>(previous));
    else if (previous >= 0)
      addEnd(static_cast<uint32_t>(previous));
    promise.atUse.insert(promise.atStart.begin(), promise.atStart.end());
    promise.atEnd = promise.atUse;
    promise.atEnd.insert(index);
    promises.push_back(promise);
    last[step.branch] = static_cast<int>(index);
  };
  for (uint32_t i = 0; i != streams.steps.size(); ++i)
    add(i, streams.steps[i]);
  StreamStep behind;
  behind.ends = streams.joins;
  add(static_cast<uint32_t>(streams.steps.size()), behind);
  return promises;
}

/// Whether `promises` keep all edges of `launches`, and the plan ends last.
bool areKept(const std::vector<TestLaunch> &launches,
             const std::vector<Promise> &promises) {
  for (uint32_t i = 0; i != launches.size(); ++i)
    for (auto [from, kind] : launches[i].edges) {
      const Promise &promise = promises[i];
      if (!(kind == kFull ? promise.atStart : promise.atUse).count(from))
        return false;
    }
  return promises.back().atEnd.size() == promises.size();
}

TEST(StreamPlan, RandomPlansKeepTheirEdgesWithoutAWaitTooMany) {
  std::mt19937 generator(20261128);
  auto draw = [&](uint32_t limit) { return generator() % limit; };
  unsigned triggers = 0, ends = 0;
  for (int plan = 0; plan != 400; ++plan) {
    uint32_t branches = 1 + draw(5), kinds = 1 + draw(4);
    std::vector<TestLaunch> launches(1 + draw(16));
    for (uint32_t i = 0; i != launches.size(); ++i) {
      launches[i].branch = draw(branches);
      for (uint32_t edge = 0, count = i ? draw(4) : 0; edge != count; ++edge)
        launches[i].edges.emplace_back(
            draw(i), static_cast<EdgeKind>((1 + draw(kinds)) % 4));
    }
    StreamPlan streams = getStreams(launches);
    auto nothing = [](uint32_t, uint32_t) { return false; };
    ASSERT_TRUE(areKept(launches, runStreams(streams, nothing)));
    auto isNeeded = [&](uint32_t index, uint32_t wait) {
      return !areKept(launches,
                      runStreams(streams, [&](uint32_t at, uint32_t from) {
                        return at == index && from == wait;
                      }));
    };
    std::set<uint32_t> endsAwaited(streams.joins.begin(), streams.joins.end()),
        triggersAwaited;
    for (uint32_t i = 0; i != launches.size(); ++i) {
      const StreamStep &step = streams.steps[i];
      EXPECT_TRUE(step.ends.empty() || step.triggers.empty());
      EXPECT_FALSE(!step.ends.empty() && step.programmatic);
      endsAwaited.insert(step.ends.begin(), step.ends.end());
      triggersAwaited.insert(step.triggers.begin(), step.triggers.end());
      ends += step.ends.size();
      triggers += step.triggers.size();
      for (uint32_t wait : step.ends)
        EXPECT_TRUE(isNeeded(i, wait));
      for (uint32_t wait : step.triggers)
        EXPECT_TRUE(isNeeded(i, wait));
    }
    for (uint32_t join : streams.joins)
      EXPECT_TRUE(isNeeded(static_cast<uint32_t>(launches.size()), join));
    for (uint32_t i = 0; i != launches.size(); ++i) {
      EXPECT_EQ(streams.steps[i].isEndAwaited, endsAwaited.count(i) == 1);
      EXPECT_EQ(streams.steps[i].isTriggerAwaited,
                triggersAwaited.count(i) == 1);
    }
  }
  EXPECT_GT(triggers, 100u);
  EXPECT_GT(ends, 100u);
}

} // namespace
