//===- SchedulerTest.cpp - The schedulers without a tree ------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "TestProblems.h"
#include <functional>
#include <set>

namespace grout::test {
namespace {

using Origin = SchedulingResult::Origin;

std::string scheduleOf(const std::vector<std::string> &domains,
                       const std::vector<DependenceSource> &dependences = {}) {
  IslContext context;
  SchedulingResult result = solve(makeProblem(context, domains, dependences));
  EXPECT_EQ(result.origin, Origin::Completed);
  return toText(result.schedule);
}

TEST(IlpScheduler, SmallProblems) {
  EXPECT_EQ(scheduleOf({}), "<[]>");
  EXPECT_EQ(scheduleOf({"{ S[] }"}), "<[], @S = () -> ()>");
  EXPECT_EQ(scheduleOf({"{ S[] }", "{ T[] }"}),
            "<[sequence band 0], @S = () -> (0), @T = () -> (1)>");
  // No instances, and dependences without pairs.
  EXPECT_EQ(
      scheduleOf({"{ S[i] : false }"}, {flow("a", "{ S[i] -> S[i + 1] }")}),
      "<[linear band 0 coincident], @S = (d0) -> (d0)>");
}

TEST(IlpScheduler, KnownPrograms) {
  for (const NamedProblem &kernel : getKernels()) {
    SCOPED_TRACE(kernel.name);
    IslContext context;
    SchedulingProblem problem = makeProblem(context, kernel);
    SchedulingResult first = solve(problem);
    EXPECT_EQ(first.origin, Origin::Completed);
    // The same again, in a context that has a history.
    EXPECT_EQ(first.schedule, solve(problem).schedule);
  }
}

TEST(IlpScheduler, SoftmaxSharesRowsButNotReductions) {
  for (const NamedProblem &kernel : getKernels())
    if (kernel.name == "softmax") {
      EXPECT_EQ(scheduleOf(kernel.domains, kernel.dependences),
                "<[linear band 0 coincident, sequence band 1, "
                "linear band 2 reduction, sequence band 3], "
                "@M0 = (d0) -> (d0, 0, 0, 0), "
                "@M = (d0, d1) -> (d0, 1, d1, 0), "
                "@E = (d0, d1) -> (d0, 2, d1, 0), "
                "@T0 = (d0) -> (d0, 0, 0, 1), "
                "@T = (d0, d1) -> (d0, 2, d1, 1), "
                "@D = (d0, d1) -> (d0, 3, d1, 0)>");
    }
}

TEST(IlpScheduler, DoesNotFuseByShifting) {
  EXPECT_EQ(scheduleOf({"{ S[i] : 0 <= i < 64 }", "{ T[i] : 1 <= i < 63 }"},
                       {flow("a", "{ S[i] -> T[i'] : i - 1 <= i' <= i + 1 }")}),
            "<[sequence band 0, linear band 1 coincident], "
            "@S = (d0) -> (0, d0), "
            "@T = (d0) -> (1, d0)>");
}

TEST(IlpScheduler, SkewsAndReverses) {
  // Time has to come first, then space skewed by it.
  EXPECT_EQ(
      scheduleOf(
          {"{ S[t, i] : 0 <= t < 8 and 0 <= i < 8 }"},
          {flow("a", "{ S[t, i] -> S[t + 1, i'] : i - 1 <= i' <= i + 1 }")}),
      "<[linear band 0, linear band 0], @S = (d0, d1) -> (d0, d0 + d1)>");
  // Only backwards.
  EXPECT_EQ(scheduleOf({"{ S[i] : 0 <= i < 8 }"},
                       {flow("a", "{ S[i] -> S[i - 1] }")}),
            "<[linear band 0], @S = (d0) -> (-d0)>");
}

TEST(IlpScheduler, CarriesWhereNoRowIsIndependent) {
  // Half of the pairs go one way between statements, half the other.
  SchedulerOptions options;
  options.trace = true;
  IslContext context;
  SchedulingProblem problem =
      makeProblem(context, {"{ S[i] : 0 <= i < 2 }", "{ T[i] : 0 <= i < 2 }"},
                  {flow("a", "{ S[0] -> T[0] }"), flow("b", "{ T[1] -> S[1] }"),
                   flow("c", "{ T[0] -> T[1] }"), flow("d", "{ S[0] -> S[1] }"),
                   flow("e", "{ S[1] -> T[1] : false }")});
  SchedulingResult result = solve(problem, nullptr, options);
  EXPECT_EQ(result.origin, Origin::Completed);
  EXPECT_NE(result.traceText().find("found one that carries"),
            std::string::npos)
      << result.traceText() << toText(result.schedule);
}

TEST(IlpScheduler, RefusesCycles) {
  IslContext context;
  SchedulingProblem problem = makeProblem(
      context, {"{ S[i] : 0 <= i < 8 }", "{ T[i] : 0 <= i < 8 }"},
      {flow("a", "{ S[i] -> T[i] }"), flow("b", "{ T[i] -> S[i] }")});
  std::string expected =
      "no schedule was found: the scheduler found no schedule of its own (no "
      "row is feasible); isl's own scheduler failed (isl's own scheduler gives "
      "no schedule of this problem within its budget); ";
  EXPECT_EQ(messageOf(createIlpScheduler()->schedule(problem, nullptr, {})),
            expected);
  // An original order that is wrong does not help.
  problem.setOriginalOrder(problem.getProgramOrder());
  EXPECT_EQ(messageOf(createIlpScheduler()->schedule(problem, nullptr, {})),
            expected +
                "the original order was not accepted (dependence 'b' from "
                "T[0] to S[0] is reversed); ");
}

//===----------------------------------------------------------------------===//
// Budgets
//===----------------------------------------------------------------------===//

AnalysisErrorKind kindOf(llvm::Error error) {
  AnalysisErrorKind kind = AnalysisErrorKind::Invalid;
  llvm::handleAllErrors(std::move(error), [&](const AnalysisError &cause) {
    kind = cause.getKind();
  });
  return kind;
}

TEST(Budget, EndsEveryCall) {
  IslContext context;
  SchedulingProblem problem = makeWorkedCase(context);
  SchedulerOptions options;
  options.maxOperations = 1;
  for (const auto &scheduler : {createIlpScheduler(), createIslScheduler()}) {
    llvm::Expected<SchedulingResult> result =
        scheduler->schedule(problem, nullptr, options);
    EXPECT_EQ(kindOf(result.takeError()), AnalysisErrorKind::GaveUp);
  }
  // Whatever the budget, the result is a schedule, or an error; and with
  // enough, the usual schedule.
  problem.setOriginalOrder(problem.getProgramOrder());
  ConstraintTree tree = treeOf(
      path(loop(problem, "X.i Y.i"), coincident(loop(problem, "X.k Y.k"))));
  std::set<Origin> origins;
  unsigned errors = 0;
  for (options.maxOperations = 1; options.maxOperations < (1 << 20);
       options.maxOperations *= 2)
    for (const ConstraintTree *each :
         {static_cast<const ConstraintTree *>(nullptr),
          static_cast<const ConstraintTree *>(&tree)}) {
      llvm::Expected<SchedulingResult> result =
          createIlpScheduler()->schedule(problem, each, options);
      if (!result) {
        EXPECT_EQ(kindOf(result.takeError()), AnalysisErrorKind::GaveUp);
        ++errors;
        continue;
      }
      EXPECT_EQ(messageOf(problem.verify(result->schedule)), "");
      origins.insert(result->origin);
    }
  EXPECT_GT(errors, 0u);
  EXPECT_TRUE(origins.count(Origin::Completed));
  EXPECT_TRUE(origins.count(Origin::Relaxed));
}

TEST(Budget, FallsBackToTheOriginalOrder) {
  // Stopping the scheduler in its tracks needs a problem that is dearer to
  // schedule than to check.
  for (const NamedProblem &kernel : getKernels()) {
    if (kernel.name != "jacobi-2d")
      continue;
    IslContext context;
    SchedulingProblem problem = makeProblem(context, kernel);
    Schedule original =
        parseSchedule("<[linear band 0, sequence band 1, linear band 2, "
                      "linear band 3], "
                      "@S0 = (d0, d1, d2) -> (d0, 0, d1, d2), "
                      "@S1 = (d0, d1, d2) -> (d0, 1, d1, d2)>");
    problem.setOriginalOrder(original);
    SchedulerOptions options;
    bool fellBack = false;
    for (options.maxOperations = 64; options.maxOperations < (1 << 20);
         options.maxOperations *= 2) {
      llvm::Expected<SchedulingResult> result =
          createIlpScheduler()->schedule(problem, nullptr, options);
      if (!result) {
        llvm::consumeError(result.takeError());
        continue;
      }
      if (result->origin != Origin::OriginalOrder)
        continue;
      fellBack = true;
      EXPECT_EQ(result->schedule, original);
      llvm::StringRef remark = result->remark;
      EXPECT_TRUE(remark.starts_with(
          "the scheduler found no schedule of its own (the operation budget "
          "ran out); isl's own scheduler failed ("))
          << result->remark;
      EXPECT_TRUE(remark.ends_with("; the original order was kept"))
          << result->remark;
    }
    EXPECT_TRUE(fellBack);
  }
}

TEST(Budget, EndsTheSearchOfTreesWithManyPaths) {
  IslContext context;
  SchedulingProblem problem = makeWorkedCase(context);
  // 2^14 paths, each of which ends in an order that nothing makes legal.
  std::function<NodePtr(unsigned)> grow = [&](unsigned depth) {
    NodePtr node = sequence(depth == 0 ? "Y; X" : "X Y");
    for (int i = 0; depth > 0 && i < 2; ++i)
      node->children.push_back(grow(depth - 1));
    return node;
  };
  ConstraintTree tree = treeOf(grow(14));
  SchedulingResult result = solve(problem, &tree);
  EXPECT_EQ(result.remark,
            "the constraint tree was given up (gave up after trying 10000 "
            "nodes); scheduled without a constraint tree");
}

TEST(Budget, LongChainsAreCheap) {
  // Fifty fused statements of four dimensions; docs/ConstraintScheduling.md has
  // times. A row at a time without substitution takes millions of operations.
  IslContext context;
  SchedulingProblem problem = makeChain(context, 50, 4, 64);
  SchedulerOptions options;
  options.maxOperations = 131072;
  SchedulingResult result = solve(problem, nullptr, options);
  EXPECT_EQ(result.origin, Origin::Completed);
  ASSERT_EQ(result.schedule.dims.size(), 5u);
  for (unsigned d = 0; d < 4; ++d) {
    EXPECT_TRUE(result.schedule.dims[d].coincident);
    EXPECT_EQ(result.schedule.dims[d].band, 0u);
  }
}

//===----------------------------------------------------------------------===//
// isl's scheduler
//===----------------------------------------------------------------------===//

TEST(IslScheduler, KnownPrograms) {
  for (const NamedProblem &kernel : getKernels()) {
    SCOPED_TRACE(kernel.name);
    IslContext context;
    SchedulingProblem problem = makeProblem(context, kernel);
    SchedulingResult result =
        unwrapOrDie(createIslScheduler()->schedule(problem, nullptr, {}));
    EXPECT_EQ(result.origin, Origin::IslFallback);
    EXPECT_EQ(messageOf(problem.verify(result.schedule)), "")
        << toText(result.schedule);
  }
}

TEST(IslScheduler, OrdersTheWorkedCaseByItsIterators) {
  IslContext context;
  SchedulingProblem problem = makeWorkedCase(context);
  SchedulingResult result =
      unwrapOrDie(createIslScheduler()->schedule(problem, nullptr, {}));
  EXPECT_EQ(result.schedule.dims[0].coincident, true);
  EXPECT_EQ((*result.schedule.find("Y"))[0], (ScheduleRow{1, 0, 0, 0}));
  ConstraintTree tree = treeOf(loop(problem, "X.i"));
  EXPECT_EQ(messageOf(createIslScheduler()->schedule(problem, &tree, {})),
            "isl's own scheduler takes no constraint tree");
}

} // namespace
} // namespace grout::test
