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

std::string scheduleOf(llvm::StringRef text) {
  IslContext context;
  SchedulingResult result =
      solve(unwrapOrDie(SchedulingProblem::parse(context, text)));
  EXPECT_EQ(result.origin, Origin::Completed);
  return result.schedule.str();
}

TEST(IlpScheduler, SmallProblems) {
  EXPECT_EQ(scheduleOf(""), "");
  EXPECT_EQ(scheduleOf("statement { S[] }"), "S:\n");
  EXPECT_EQ(scheduleOf("statement { S[] }\nstatement { T[] }"),
            "sequence band 0\nS: [0]\nT: [1]\n");
  // No instances, and dependences without pairs.
  EXPECT_EQ(scheduleOf("statement { S[i] : false }\n"
                       "flow a { S[i] -> S[i + 1] }"),
            "linear band 0 coincident\nS: [1, 0]\n");
}

TEST(IlpScheduler, KnownPrograms) {
  for (const NamedText &kernel : getKernels()) {
    SCOPED_TRACE(kernel.name);
    IslContext context;
    SchedulingProblem problem =
        unwrapOrDie(SchedulingProblem::parse(context, kernel.text));
    SchedulingResult first = solve(problem);
    EXPECT_EQ(first.origin, Origin::Completed);
    // The same again, in a context that has a history.
    EXPECT_EQ(first.schedule, solve(problem).schedule);
  }
}

TEST(IlpScheduler, SoftmaxSharesRowsButNotReductions) {
  for (const NamedText &kernel : getKernels())
    if (kernel.name == "softmax") {
      EXPECT_EQ(scheduleOf(kernel.text),
                "linear band 0 coincident\n"
                "sequence band 1\n"
                "linear band 2 reduction\n"
                "sequence band 3\n"
                "M0: [1, 0] [0, 0] [0, 0] [0, 0]\n"
                "M: [1, 0, 0] [0, 0, 1] [0, 1, 0] [0, 0, 0]\n"
                "E: [1, 0, 0] [0, 0, 2] [0, 1, 0] [0, 0, 0]\n"
                "T0: [1, 0] [0, 0] [0, 0] [0, 1]\n"
                "T: [1, 0, 0] [0, 0, 2] [0, 1, 0] [0, 0, 1]\n"
                "D: [1, 0, 0] [0, 0, 3] [0, 1, 0] [0, 0, 0]\n");
    }
}

TEST(IlpScheduler, DoesNotFuseByShifting) {
  llvm::StringRef text = R"(
    statement { S[i] : 0 <= i < 64 }
    statement { T[i] : 1 <= i < 63 }
    flow a { S[i] -> T[i'] : i - 1 <= i' <= i + 1 }
  )";
  EXPECT_EQ(scheduleOf(text), "sequence band 0\n"
                              "linear band 1 coincident\n"
                              "S: [0, 0] [1, 0]\n"
                              "T: [0, 1] [1, 0]\n");
}

TEST(IlpScheduler, SkewsAndReverses) {
  // Time has to come first, then space skewed by it.
  EXPECT_EQ(scheduleOf(R"(
    statement { S[t, i] : 0 <= t < 8 and 0 <= i < 8 }
    flow a { S[t, i] -> S[t + 1, i'] : i - 1 <= i' <= i + 1 })"),
            "linear band 0\nlinear band 0\nS: [1, 0, 0] [1, 1, 0]\n");
  // Only backwards.
  EXPECT_EQ(scheduleOf(R"(
    statement { S[i] : 0 <= i < 8 }
    flow a { S[i] -> S[i - 1] })"),
            "linear band 0\nS: [-1, 0]\n");
}

TEST(IlpScheduler, CarriesWhereNoRowIsIndependent) {
  // Half of the pairs go one way between statements, half the other.
  SchedulerOptions options;
  options.trace = true;
  IslContext context;
  SchedulingProblem problem = unwrapOrDie(SchedulingProblem::parse(context, R"(
    statement { S[i] : 0 <= i < 2 }
    statement { T[i] : 0 <= i < 2 }
    flow a { S[0] -> T[0] }
    flow b { T[1] -> S[1] }
    flow c { T[0] -> T[1] }
    flow d { S[0] -> S[1] }
    flow e { S[1] -> T[1] : false }
  )"));
  SchedulingResult result = solve(problem, nullptr, options);
  EXPECT_EQ(result.origin, Origin::Completed);
  EXPECT_NE(result.traceText().find("found one that carries"),
            std::string::npos)
      << result.traceText() << result.schedule.str();
}

TEST(IlpScheduler, RefusesCycles) {
  IslContext context;
  SchedulingProblem problem = unwrapOrDie(SchedulingProblem::parse(context, R"(
    statement { S[i] : 0 <= i < 8 }
    statement { T[i] : 0 <= i < 8 }
    flow a { S[i] -> T[i] }
    flow b { T[i] -> S[i] }
  )"));
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
  for (const NamedText &kernel : getKernels()) {
    if (kernel.name != "jacobi-2d")
      continue;
    IslContext context;
    SchedulingProblem problem =
        unwrapOrDie(SchedulingProblem::parse(context, kernel.text));
    Schedule original = unwrapOrDie(Schedule::parse(R"(
      linear band 0
      sequence band 1
      linear band 2
      linear band 3
      S0: [1, 0, 0, 0] [0, 0, 0, 0] [0, 1, 0, 0] [0, 0, 1, 0]
      S1: [1, 0, 0, 0] [0, 0, 0, 1] [0, 1, 0, 0] [0, 0, 1, 0])"));
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
  for (const NamedText &kernel : getKernels()) {
    SCOPED_TRACE(kernel.name);
    IslContext context;
    SchedulingProblem problem =
        unwrapOrDie(SchedulingProblem::parse(context, kernel.text));
    SchedulingResult result =
        unwrapOrDie(createIslScheduler()->schedule(problem, nullptr, {}));
    EXPECT_EQ(result.origin, Origin::IslFallback);
    EXPECT_EQ(messageOf(problem.verify(result.schedule)), "")
        << result.schedule.str();
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
