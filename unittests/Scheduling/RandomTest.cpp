//===- RandomTest.cpp - Schedulers and verify() against brute force -------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "RandomScop.h"
#include "TestProblems.h"
#include "llvm/Support/Regex.h"

namespace grout::test {
namespace {

constexpr unsigned kProblems = 300;

/// The values of "0, 1, 2".
Instance parseInstance(llvm::StringRef text) {
  Instance result;
  while (!text.empty()) {
    auto [value, rest] = text.split(',');
    value.trim().getAsInteger(10, result.emplace_back());
    text = rest;
  }
  return result;
}

TEST(Random, SchedulesAreRight) {
  std::map<SchedulingResult::Origin, unsigned> alone, steered;
  for (unsigned seed = 0; seed < kProblems; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    IslContext context;
    RandomScop scop = makeRandomScop(context, random);
    SchedulingResult own = solve(scop.problem);
    EXPECT_TRUE(isRight(own.schedule, scop)) << toText(own.schedule);
    ++alone[own.origin];
    for (int i = 0; i < 2; ++i) {
      ConstraintTree tree = makeRandomTree(scop.problem, random);
      SchedulerOptions options;
      options.trace = true;
      SchedulingResult result = solve(scop.problem, &tree, options);
      EXPECT_TRUE(isRight(result.schedule, scop))
          << result.traceText() << toText(result.schedule);
      ++steered[result.origin];
    }
  }
  // Of its own, the scheduler always finds something; the trees are such that
  // all ways of dealing with them are taken.
  EXPECT_EQ(alone[SchedulingResult::Origin::Completed], kProblems);
  EXPECT_GT(steered[SchedulingResult::Origin::Tree], kProblems / 2);
  EXPECT_GT(steered[SchedulingResult::Origin::Relaxed], kProblems / 5);
  EXPECT_GT(steered[SchedulingResult::Origin::Completed], kProblems / 5);
}

TEST(Random, IslSchedulesAreRight) {
  unsigned refused = 0;
  for (unsigned seed = 0; seed < kProblems; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    IslContext context;
    RandomScop scop = makeRandomScop(context, random);
    llvm::Expected<SchedulingResult> result =
        createIslScheduler()->schedule(scop.problem, nullptr, {});
    if (!result) {
      std::string message = llvm::toString(result.takeError());
      EXPECT_EQ(llvm::StringRef(message).take_front(6), "isl's ") << message;
      ++refused;
      continue;
    }
    EXPECT_EQ(messageOf(scop.problem.verify(result->schedule)), "")
        << toText(result->schedule);
    EXPECT_TRUE(isRight(result->schedule, scop)) << toText(result->schedule);
  }
  EXPECT_LT(refused, kProblems / 10);
}

TEST(Random, VerifyAgreesWithBruteForce) {
  unsigned right = 0, wrong = 0;
  for (unsigned seed = 0; seed < kProblems; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    IslContext context;
    RandomScop scop = makeRandomScop(context, random);
    for (int i = 0; i < 4; ++i) {
      Schedule schedule = makeRandomSchedule(scop.problem, random);
      std::string message = messageOf(scop.problem.verify(schedule));
      ASSERT_EQ(message.empty(), isRight(schedule, scop)) << message << '\n'
                                                          << toText(schedule);
      ++(message.empty() ? right : wrong);
      if (message.empty())
        continue;
      // The pair that it names is one that shows it.
      llvm::SmallVector<llvm::StringRef> parts;
      ASSERT_TRUE(llvm::Regex("^dependence '(.*)' from .*\\[(.*)\\] to "
                              ".*\\[(.*)\\]")
                      .match(message, &parts))
          << message;
      const ExplicitDependence &dependence =
          scop.dependences.at(parts[1].str());
      std::pair<Instance, Instance> pair(parseInstance(parts[2]),
                                         parseInstance(parts[3]));
      EXPECT_TRUE(llvm::is_contained(dependence.pairs, pair)) << message;
      EXPECT_TRUE(isWrong(schedule, dependence, pair)) << message;
    }
  }
  EXPECT_GT(right, kProblems / 4);
  EXPECT_GT(wrong, kProblems / 4);
}

} // namespace
} // namespace grout::test
