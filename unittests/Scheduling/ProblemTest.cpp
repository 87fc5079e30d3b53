//===- ProblemTest.cpp - What problems are refused ------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "TestProblems.h"

namespace grout::test {
namespace {

/// What check() says of a problem; every solver says the same.
std::string check(const std::vector<std::string> &domains,
                  const std::vector<DependenceSource> &dependences = {}) {
  IslContext context;
  SchedulingProblem problem = makeProblem(context, domains, dependences);
  std::string message = messageOf(problem.check());
  for (const auto &scheduler : {createIlpScheduler(), createIslScheduler()})
    EXPECT_EQ(messageOf(scheduler->schedule(problem, nullptr, {})), message);
  return message;
}

TEST(Problem, IsCheckedBeforeSolving) {
  EXPECT_EQ(check({"{ S[i] : 0 <= i < 4 }"}), "");
  EXPECT_EQ(check({"[N] -> { S[i] : 0 <= i < N }"}),
            "statement 'S': parameter 'N' is not supported: extents have to be "
            "static");
  EXPECT_EQ(check({"{ S[i] : 0 <= i }"}),
            "statement 'S': the domain is not bounded");
  EXPECT_EQ(check({"{ [i] : 0 <= i < 4 }"}),
            "statement '': the name is not an identifier");
  EXPECT_EQ(check({"{ S[i] : 0 <= i < 4 }", "{ S[i] : 0 <= i < 4 }"}),
            "two statements are called 'S'");
}

TEST(Problem, DependencesAreCheckedBeforeSolving) {
  std::vector<std::string> two = {"{ S[i] : 0 <= i < 4 }",
                                  "{ T[i] : 0 <= i < 4 }"};
  EXPECT_EQ(check(two, {flow("a", "{ S[i] -> T[i] }"),
                        anti("a", "{ T[i] -> S[i + 1] }")}),
            "two dependences are called 'a'");
  EXPECT_EQ(check(two, {flow("a", "{ S[i] -> U[i] }")}),
            "dependence 'a': there is no statement 'U'");
  EXPECT_EQ(check(two, {flow("a", "{ S[i, j] -> T[i] }")}),
            "dependence 'a': the relation { S[i, j] -> T[i] } does not relate "
            "instances of 'S' to instances of 'T'");
  EXPECT_EQ(check(two, {flow("a", "[N] -> { S[i] -> T[N] }")}),
            "dependence 'a': parameter 'N' is not supported: extents have to "
            "be static");
  EXPECT_EQ(check(two, {flow("a", "{ S[i] -> S[j] : j >= i }")}),
            "dependence 'a' from S[0] to S[0]: an instance depends on itself");
  // Pairs outside the domains do not count.
  EXPECT_EQ(check(two, {flow("a", "{ S[i] -> S[i] : i > 7 }")}), "");
}

TEST(Problem, IsCheckedWhereNamesAndSetsDiffer) {
  IslContext context, other;
  auto box = [](const IslContext &context, llvm::StringRef name) {
    return unwrapOrDie(IterationDomain::box(context, name, {4, 4}));
  };
  auto checkOf = [&](ScopStatement statement) {
    SchedulingProblem problem(context);
    problem.addStatement(std::move(statement));
    return messageOf(problem.check());
  };
  EXPECT_EQ(checkOf({"S", {"i", "j"}, box(context, "S")}), "");
  EXPECT_EQ(checkOf({"S", {"i"}, box(context, "S")}),
            "statement 'S': the domain has 2 dimensions, but 1 iterators are "
            "named");
  EXPECT_EQ(checkOf({"S", {"i", "i"}, box(context, "S")}),
            "statement 'S': two iterators are called 'i'");
  EXPECT_EQ(checkOf({"S", {"i", "2"}, box(context, "S")}),
            "statement 'S': the name of iterator '2' is not an identifier");
  EXPECT_EQ(checkOf({"S", {"i", "j"}, box(context, "T")}),
            "statement 'S': the domain is not one of that name");
  EXPECT_EQ(checkOf({"S", {"i", "j"}, box(other, "S")}),
            "statement 'S': the domain belongs to another context");
  EXPECT_EQ(checkOf({"S", {"i", "j"}, {}}),
            "statement 'S': the domain is null");
  SchedulingProblem problem(context);
  problem.addStatement({"S", {"i", "j"}, box(context, "S")});
  ScopDependence dependence;
  dependence.name = "a";
  problem.addDependence(dependence);
  EXPECT_EQ(messageOf(problem.check()), "dependence 'a': the relation is null");
  EXPECT_EQ(messageOf(IterationDomain::box(context, "S", {4, -1})),
            "an extent of 'S' is negative");
}

TEST(Problem, ProgramOrderIsAValidSchedule) {
  IslContext context;
  SchedulingProblem problem = makeWorkedCase(context);
  Schedule schedule = problem.getProgramOrder();
  EXPECT_EQ(toText(schedule),
            "<[sequence band 0, linear band 1, linear band 2, "
            "linear band 3], "
            "@X = (d0, d1) -> (0, d0, d1, 0), "
            "@Y = (d0, d1, d2) -> (1, d0, d1, d2)>");
  EXPECT_EQ(messageOf(problem.verify(schedule)), "");
}

} // namespace
} // namespace grout::test
