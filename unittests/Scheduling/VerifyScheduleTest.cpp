//===- VerifyScheduleTest.cpp - What is wrong with schedules --------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "TestProblems.h"

namespace grout::test {
namespace {

/// What verify() says of a schedule of this problem.
std::string verify(const SchedulingProblem &problem, llvm::StringRef text) {
  return messageOf(problem.verify(parseSchedule(text)));
}

TEST(Verify, NamesOnePairOfInstances) {
  IslContext context;
  SchedulingProblem problem = makeWorkedCase(context);
  EXPECT_EQ(verify(problem, "<[linear band 0, linear band 1, linear band 2, "
                            "sequence band 3], "
                            "@X = (d0, d1) -> (d0, d1, 0, 0), "
                            "@Y = (d0, d1, d2) -> (d0, d2, d1, 1)>"),
            "");
  EXPECT_EQ(verify(problem, "<[linear band 0, linear band 1, linear band 2, "
                            "sequence band 3], "
                            "@X = (d0, d1) -> (d0, d1, 0, 0), "
                            "@Y = (d0, d1, d2) -> (d0, d1, d2, 1)>"),
            "dependence 'product' from X[0, 1] to Y[0, 0, 1] is reversed");
  EXPECT_EQ(verify(problem, "<[linear band 0, linear band 1, linear band 2], "
                            "@X = (d0, d1) -> (d0, d1, 0), "
                            "@Y = (d0, d1, d2) -> (d0, d2, d1)>"),
            "dependence 'product' from X[0, 0] to Y[0, 0, 0]: both happen at "
            "the same time");
}

TEST(Verify, ChecksWhatDimensionsClaim) {
  IslContext context;
  SchedulingProblem problem =
      makeProblem(context, {"{ S[t, i] : 0 <= t < 4 and 0 <= i < 4 }"},
                  {flow("a", "{ S[t, i] -> S[t + 1, i - 1] }"),
                   reduction("r", "{ S[t, i] -> S[t, i'] : i' > i }")});
  EXPECT_EQ(verify(problem, "<[linear band 0, linear band 1], "
                            "@S = (d0, d1) -> (d0, d1)>"),
            "");
  EXPECT_EQ(verify(problem, "<[linear band 0, linear band 0], "
                            "@S = (d0, d1) -> (d0, d1)>"),
            "dependence 'a' from S[0, 1] to S[1, 0] is reversed by dimension 1 "
            "of its band, which therefore cannot be permuted");
  EXPECT_EQ(verify(problem, "<[linear band 0 coincident, linear band 1], "
                            "@S = (d0, d1) -> (d0, d1)>"),
            "dependence 'a' from S[0, 1] to S[1, 0] is carried by dimension 0, "
            "which therefore is not parallel");
  EXPECT_EQ(verify(problem, "<[linear band 0, linear band 1 coincident], "
                            "@S = (d0, d1) -> (d0, d1)>"),
            "dependence 'r' from S[0, 0] to S[0, 1] is carried by dimension 1, "
            "which therefore is not parallel");
  EXPECT_EQ(verify(problem,
                   "<[linear band 0, linear band 1 reduction map thread_x], "
                   "@S = (d0, d1) -> (d0, d1)>"),
            "");
  // A reduction may run backwards, but not all at once.
  EXPECT_EQ(verify(problem, "<[linear band 0, linear band 1], "
                            "@S = (d0, d1) -> (d0, -d1)>"),
            "");
  EXPECT_EQ(verify(problem, "<[linear band 0], "
                            "@S = (d0, d1) -> (d0)>"),
            "dependence 'r' from S[0, 0] to S[0, 1]: both happen at the same "
            "time");
}

TEST(Verify, RefusesWhatDoesNotFit) {
  IslContext context;
  SchedulingProblem problem =
      makeProblem(context, {"{ S[i] : 0 <= i < 4 }", "{ T[] }"});
  EXPECT_EQ(verify(problem, "<[linear band 0], "
                            "@S = (d0) -> (d0), "
                            "@T = () -> (0)>"),
            "");
  EXPECT_EQ(verify(problem, "<[linear band 0], "
                            "@S = (d0) -> (d0)>"),
            "statement 'T' is not scheduled");
  EXPECT_EQ(verify(problem, "<[linear band 0], "
                            "@S = (d0) -> (d0), "
                            "@T = () -> (0), "
                            "@U = () -> (1)>"),
            "there is no statement 'U'");
  EXPECT_EQ(verify(problem, "<[linear band 0], "
                            "@S = (d0, d1) -> (d0), "
                            "@T = () -> (0)>"),
            "statement 'S': the row of dimension 0 needs 1 coefficients and a "
            "constant");
  EXPECT_EQ(verify(problem, "<[linear band 1, linear band 0], "
                            "@S = (d0) -> (d0, 0), "
                            "@T = () -> (0, 0)>"),
            "dimension 1: numbers of bands do not descend");
  EXPECT_EQ(verify(problem, "<[linear band 0, sequence band 0], "
                            "@S = (d0) -> (d0, 0), "
                            "@T = () -> (0, 0)>"),
            "dimension 1: a sequence is a band of its own, and has no flags");
  EXPECT_EQ(verify(problem, "<[linear band 0 vector 4], "
                            "@S = (d0) -> (d0), "
                            "@T = () -> (0)>"),
            "dimension 0 is vectorised, but not marked as parallel");
  EXPECT_EQ(verify(problem, "<[linear band 0 map block], "
                            "@S = (d0) -> (d0), "
                            "@T = () -> (0)>"),
            "dimension 0 is mapped to block, but not marked as parallel");
  EXPECT_EQ(verify(problem, "<[linear band 0 coincident vector 4 of [@U]], "
                            "@S = (d0) -> (d0), "
                            "@T = () -> (0)>"),
            "dimension 0: there is no statement 'U'");
  Schedule schedule = parseSchedule("<[linear band 0], "
                                    "@S = (d0) -> (d0), "
                                    "@T = () -> (0)>");
  schedule.dims[0].execution.vectorWidth = 0;
  EXPECT_EQ(messageOf(problem.verify(schedule)),
            "dimension 0: a vector has at least one element");
  schedule.dims[0].execution.vectorWidth = 1;
  schedule.dims[0].execution.vectorStatements = {"S"};
  EXPECT_EQ(messageOf(problem.verify(schedule)),
            "dimension 0: statements to vectorise need a vector width");
  schedule.dims[0].execution.vectorStatements.clear();
  schedule.dims[0].execution.masked = true;
  EXPECT_EQ(messageOf(problem.verify(schedule)),
            "dimension 0: masks need a vector width");
  schedule.dims[0].execution.masked = false;
  schedule.dims[0].kind = DimKind::Sequence;
  EXPECT_EQ(messageOf(problem.verify(schedule)),
            "statement 'S': dimension 0 is a sequence, so its row is a "
            "constant");
  schedule.statements[0].rows.clear();
  EXPECT_EQ(messageOf(problem.verify(schedule)),
            "statement 'S' has 0 rows, but there are 1 dimensions");
  schedule.statements[0] = schedule.statements[1];
  EXPECT_EQ(messageOf(problem.verify(schedule)),
            "statement 'T' is scheduled twice");
}

TEST(Verify, DoesNotEnumerate) {
  // 10^12 instances, and coefficients that need 64 bits.
  IslContext context;
  SchedulingProblem problem = makeProblem(
      context, {"{ S[i, j] : 0 <= i < 1000000 and 0 <= j < 1000000 }"},
      {flow("a", "{ S[i, j] -> S[i + 1, j] }")});
  EXPECT_EQ(verify(problem, "<[linear band 0, linear band 1], "
                            "@S = (d0, d1) -> (d0 * 4611686018427387904, d1)>"),
            "");
  EXPECT_EQ(verify(problem,
                   "<[linear band 0, linear band 1], "
                   "@S = (d0, d1) -> (d0 * -4611686018427387904, d1)>"),
            "dependence 'a' from S[0, 0] to S[1, 0] is reversed");
}

} // namespace
} // namespace grout::test
