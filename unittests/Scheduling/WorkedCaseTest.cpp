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
  a->vectorWidth = 4;
  // Vectorise what D and C are contiguous in.
  NodePtr b = coincident(loop(problem, "Y.j"));
  b->vectorWidth = 4;
  b->vectorStatements = {"Y"};
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
  EXPECT_EQ(result.schedule.str(), "");
  EXPECT_EQ(result.traceText(), "");
}

TEST(WorkedCase, WithoutATree) {
  IslContext context;
  SchedulingProblem problem = makeWorkedCase(context);
  SchedulerOptions options;
  options.trace = true;
  SchedulingResult result = solve(problem, nullptr, options);
  EXPECT_EQ(result.schedule.str(), "");
  EXPECT_EQ(result.traceText(), "");
}

} // namespace
} // namespace grout::test
