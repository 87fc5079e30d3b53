//===- WorkedCaseTest.cpp - Alternatives and backtracking -----------------===//
//
// Part of Grout. The case of docs/ConstraintScheduling.md.
//
//===----------------------------------------------------------------------===//

#include "TestProblems.h"

namespace grout::test {
namespace {

ConstraintTree makeTree(const SchedulingProblem &problem) {
  // Vectorise the reduction: infeasible, because it is carried.
  NodePtr a = coincident(loop(problem, "X.k Y.k"));
  a->execution.vectorWidth = 4;
  // Vectorise what C and D are contiguous in.
  NodePtr b = coincident(loop(problem, "Y.j"));
  b->execution.vectorWidth = 4;
  b->execution.vectorStatements = {"Y"};
  return treeOf(
      path(loop(problem, "X.i Y.i"), loop(problem, "Y.j"), std::move(a)),
      path(loop(problem, "X.i Y.i"), loop(problem, "X.k Y.k"), sequence("X; Y"),
           std::move(b)));
}

TEST(WorkedCase, BacktracksToTheSecondScenario) {
  IslContext context;
  SchedulingProblem problem = makeWorkedCase(context);
  ConstraintTree tree = makeTree(problem);
  SchedulerOptions options;
  options.trace = true;
  SchedulingResult result = solve(problem, &tree, options);
  EXPECT_EQ(result.origin, SchedulingResult::Origin::Tree);
  EXPECT_EQ(result.remark, "followed the constraint tree along 1.0.0.0");
  EXPECT_EQ(toText(result.schedule),
            "<[linear band 0 coincident, linear band 0, "
            "sequence band 1, "
            "linear band 2 coincident vector 4 of [@Y]], "
            "@X = (d0, d1) -> (d0, d1, 0, 0), "
            "@Y = (d0, d1, d2) -> (d0, d2, 1, d1)>");
  std::string i = "linear X.i = 1, X.k = 0, X.const = 0, Y.i = 1, Y.j = 0, "
                  "Y.k = 0, Y.const = 0";
  std::string j = "linear Y.i = 0, Y.j = 1, Y.k = 0, Y.const = 0";
  std::string k = "linear X.i = 0, X.k = 1, X.const = 0, Y.i = 0, Y.j = 0, "
                  "Y.k = 1, Y.const = 0";
  std::string carried =
      "; coincident; vector 4: infeasible: dependence 'sum' cannot have "
      "distance zero\n";
  EXPECT_EQ(result.traceText(),
            "0: " + i + ": found, coincident\n" +               //
                "1: " + j + ": found, not parallel\n" +         //
                "2: " + k + carried +                           //
                "2: new band: alternatives are tried again\n" + //
                "2: " + k + carried +                           //
                "2: no alternative left: back to dimension 1\n" +
                "1: no alternative left: back to dimension 0\n" + //
                "0: " + i + ": found, coincident\n" +             //
                "1: " + k + ": found, not parallel\n" +           //
                "2: sequence X; Y: found\n" +                     //
                "3: " + j + "; coincident; vector 4 of Y: found, coincident\n");
}

TEST(WorkedCase, TracingChangesNothing) {
  IslContext context;
  SchedulingProblem problem = makeWorkedCase(context);
  ConstraintTree tree = makeTree(problem);
  SchedulerOptions options;
  SchedulingResult silent = solve(problem, &tree, options);
  EXPECT_TRUE(silent.trace.empty());
  options.trace = true;
  SchedulingResult traced = solve(problem, &tree, options);
  EXPECT_EQ(silent.schedule, traced.schedule);
  EXPECT_EQ(silent.remark, traced.remark);
}

TEST(WorkedCase, WithoutATree) {
  IslContext context;
  SchedulingProblem problem = makeWorkedCase(context);
  SchedulerOptions options;
  options.trace = true;
  SchedulingResult result = solve(problem, nullptr, options);
  EXPECT_EQ(result.origin, SchedulingResult::Origin::Completed);
  EXPECT_EQ(toText(result.schedule),
            "<[linear band 0 coincident, sequence band 1, "
            "linear band 2 coincident, linear band 2], "
            "@X = (d0, d1) -> (d0, 0, d1, 0), "
            "@Y = (d0, d1, d2) -> (d0, 1, d1, d2)>");
  EXPECT_EQ(result.traceText(),
            "0: own row: found, coincident\n"
            "1: own row: no row for all statements: sequence of 2 groups\n"
            "2: own row: found, coincident\n"
            "3: own row: found, not parallel\n");
}

} // namespace
} // namespace grout::test
