//===- ConstraintTreeTest.cpp - What nodes do -----------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "TestProblems.h"

namespace grout::test {
namespace {

using Origin = SchedulingResult::Origin;

/// S[i, j] and T[i, j] = S[i, j], and T is a reduction along j.
SchedulingProblem makeReduction(const IslContext &context) {
  return makeProblem(context,
                     {"{ S[i, j] : 0 <= i < 6 and 0 <= j < 8 }",
                      "{ T[i, j] : 0 <= i < 6 and 0 <= j < 8 }"},
                     {flow("a", "{ S[i, j] -> T[i, j] }"),
                      reduction("sum", "{ T[i, j] -> T[i, j'] : j' > j }")});
}

std::string rowsOf(const SchedulingResult &result, unsigned dim) {
  std::string text;
  for (const Schedule::StatementRows &statement : result.schedule.statements) {
    text += (text.empty() ? "" : " ") + statement.statement + "[";
    for (size_t i = 0; i < statement.rows[dim].size(); ++i)
      text += (i ? "," : "") + std::to_string(statement.rows[dim][i]);
    text += "]";
  }
  return text;
}

CoefficientConstraint bound(const std::string &statement, unsigned position,
                            int64_t factor, int64_t constant, bool equality) {
  return {{{factor, {statement, position, std::nullopt}}}, constant, equality};
}

TEST(ConstraintTree, FixesRows) {
  IslContext context;
  SchedulingProblem problem = makeReduction(context);
  ConstraintTree tree =
      treeOf(path(loop(problem, "S.j T.j"), loop(problem, "S.i T.i")));
  SchedulingResult result = solve(problem, &tree);
  EXPECT_EQ(result.origin, Origin::Tree);
  EXPECT_EQ(toText(result.schedule),
            "<[linear band 0 reduction, linear band 0 coincident, "
            "sequence band 1], "
            "@S = (d0, d1) -> (d1, d0, 0), "
            "@T = (d0, d1) -> (d1, d0, 1)>");
}

TEST(ConstraintTree, LeafLeavesTheRestToTheScheduler) {
  IslContext context;
  SchedulingProblem problem = makeReduction(context);
  ConstraintTree tree = treeOf(loop(problem, "S.j T.j"));
  SchedulingResult result = solve(problem, &tree);
  EXPECT_EQ(result.remark, "followed the constraint tree along 0");
  EXPECT_EQ(rowsOf(result, 0), "S[0,1,0] T[0,1,0]");
  EXPECT_EQ(rowsOf(result, 1), "S[1,0,0] T[1,0,0]");
}

TEST(ConstraintTree, InequalitiesAndSums) {
  IslContext context;
  SchedulingProblem problem = makeReduction(context);
  auto node = std::make_unique<ConstraintTreeNode>();
  // S.i >= 2, S.j - S.i >= 1, T.const >= 5.
  node->constraints.push_back(bound("S", 0, 1, -2, false));
  node->constraints.push_back(
      {{{1, {"S", 1, std::nullopt}}, {-1, {"S", 0, std::nullopt}}}, -1, false});
  node->constraints.push_back(bound("T", 2, 1, -5, false));
  ConstraintTree tree = treeOf(std::move(node));
  SchedulingResult result = solve(problem, &tree);
  EXPECT_EQ(result.origin, Origin::Tree);
  EXPECT_EQ(rowsOf(result, 0), "S[2,3,5] T[2,3,5]");
}

TEST(ConstraintTree, RefersToOuterRows) {
  IslContext context;
  SchedulingProblem problem = makeReduction(context);
  // The second row swaps the coefficients of the first.
  auto second = std::make_unique<ConstraintTreeNode>();
  for (unsigned i : {0u, 1u})
    second->constraints.push_back(
        {{{1, {"S", i, std::nullopt}}, {-1, {"S", 1 - i, 0}}}, 0, true});
  ConstraintTree tree =
      treeOf(path(loop(problem, "S.j T.j"), std::move(second)));
  EXPECT_EQ(tree.str(problem),
            "linear S.i = 0, S.j = 1, S.const = 0, T.i = 0, T.j = 1, "
            "T.const = 0\n"
            "  linear S.i - S.j@0 = 0, S.j - S.i@0 = 0\n");
  SchedulingResult result = solve(problem, &tree);
  EXPECT_EQ(result.origin, Origin::Tree);
  EXPECT_EQ(rowsOf(result, 1), "S[1,0,0] T[1,0,0]");
}

TEST(ConstraintTree, NegativeCoefficients) {
  IslContext context;
  SchedulingProblem problem = makeReduction(context);
  auto node = std::make_unique<ConstraintTreeNode>();
  node->constraints.push_back(bound("S", 0, 1, 1, true));
  ConstraintTree tree = treeOf(std::move(node));
  SchedulingResult result = solve(problem, &tree);
  EXPECT_EQ(result.origin, Origin::Tree);
  EXPECT_EQ(rowsOf(result, 0), "S[-1,0,0] T[-1,0,0]");
}

TEST(ConstraintTree, CoincidenceOfAllAndOfSome) {
  IslContext context;
  SchedulingProblem problem = makeReduction(context);
  SchedulerOptions options;
  options.trace = true;
  // A reduction is a dependence, too.
  ConstraintTree all = treeOf(coincident(loop(problem, "S.j T.j")),
                              coincident(loop(problem, "S.i T.i")));
  SchedulingResult result = solve(problem, &all, options);
  EXPECT_EQ(result.remark, "followed the constraint tree along 1");
  EXPECT_NE(
      result.traceText().find("dependence 'sum' cannot have distance zero"),
      std::string::npos);
  // Where only 'a' is asked for, its loop may carry the reduction.
  NodePtr listed = loop(problem, "S.j");
  listed->coincidence = Coincidence::Listed;
  listed->coincidentDependences = {"a"};
  ConstraintTree some = treeOf(std::move(listed));
  result = solve(problem, &some);
  EXPECT_EQ(result.origin, Origin::Tree);
  EXPECT_EQ(rowsOf(result, 0), "S[0,1,0] T[0,1,0]");
}

TEST(ConstraintTree, NewBands) {
  IslContext context;
  SchedulingProblem problem = makeProblem(
      context, {"{ S[t, i] : 0 <= t < 8 and 0 <= i < 8 }"},
      {flow("a", "{ S[t, i] -> S[t + 1, i'] : i - 1 <= i' <= i + 1 }")});
  // Within the band of t, row i would reverse the dependence: the scheduler
  // starts a band by itself, or at once where the node says so.
  SchedulerOptions options;
  options.trace = true;
  for (bool newBand : {false, true}) {
    NodePtr inner = coincident(loop(problem, "S.i"));
    inner->newBand = newBand;
    ConstraintTree tree = treeOf(path(loop(problem, "S.t"), std::move(inner)));
    SchedulingResult result = solve(problem, &tree, options);
    EXPECT_EQ(result.origin, Origin::Tree);
    EXPECT_EQ(toText(result.schedule),
              "<[linear band 0, linear band 1 coincident], "
              "@S = (d0, d1) -> (d0, d1)>");
    bool failedFirst =
        result.traceText().find("infeasible: dependence 'a' would be "
                                "reversed") != std::string::npos;
    EXPECT_EQ(failedFirst, !newBand);
  }
}

TEST(ConstraintTree, Sequences) {
  IslContext context;
  SchedulingProblem problem = makeReduction(context);
  SchedulerOptions options;
  options.trace = true;
  ConstraintTree tree = treeOf(sequence("T; S"), sequence("S; T"));
  SchedulingResult result = solve(problem, &tree, options);
  EXPECT_EQ(result.origin, Origin::Tree);
  EXPECT_EQ(result.trace[0].str(),
            "0: sequence T; S: infeasible: dependence 'a' would be reversed");
  EXPECT_EQ(result.trace[1].str(), "0: sequence S; T: found");
  EXPECT_EQ(result.schedule.dims[0].kind, DimKind::Sequence);
  EXPECT_EQ(rowsOf(result, 0), "S[0,0,0] T[0,0,1]");
}

TEST(ConstraintTree, VectorsAndMappingsNeedParallelLoops) {
  IslContext context;
  SchedulingProblem problem = makeReduction(context);
  // Lanes and threads may each have a part of a reduction, unless all
  // dependences are to be coincident.
  NodePtr strict = coincident(loop(problem, "S.j T.j"));
  strict->execution.vectorWidth = 8;
  NodePtr vector = loop(problem, "S.j T.j");
  vector->execution.vectorWidth = 8;
  vector->execution.masked = true;
  vector->execution.mapping = Mapping::ThreadX;
  ConstraintTree tree = treeOf(std::move(strict), std::move(vector));
  SchedulingResult result = solve(problem, &tree);
  EXPECT_EQ(result.remark, "followed the constraint tree along 1");
  std::string text = toText(result.schedule);
  EXPECT_TRUE(llvm::StringRef(text).starts_with(
      "<[linear band 0 reduction map thread_x vector 8 masked, "))
      << text;
  // What is no reduction cannot be had in parts.
  problem = makeProblem(context, {"{ S[i] : 0 <= i < 8 }"},
                        {flow("a", "{ S[i] -> S[i + 1] }")});
  for (bool isVector : {true, false}) {
    NodePtr node = loop(problem, "S.i");
    node->execution.vectorWidth = isVector ? 8 : 1;
    node->execution.mapping =
        isVector ? std::nullopt : std::optional(Mapping::Block);
    tree = treeOf(std::move(node));
    result = solve(problem, &tree);
    EXPECT_EQ(result.origin, Origin::Relaxed);
    EXPECT_EQ(toText(result.schedule), "<[linear band 0], "
                                       "@S = (d0) -> (d0)>");
  }
}

TEST(ConstraintTree, RelaxesIndependenceFirst) {
  IslContext context;
  SchedulingProblem problem = makeReduction(context);
  ConstraintTree tree =
      treeOf(path(loop(problem, "S.i T.i"), loop(problem, "S.i T.i")));
  SchedulerOptions options;
  options.trace = true;
  SchedulingResult result = solve(problem, &tree, options);
  EXPECT_EQ(result.origin, Origin::Relaxed);
  EXPECT_EQ(result.remark, "followed the constraint tree along 0.0, without "
                           "asking for linearly independent rows");
  EXPECT_NE(
      result.traceText().find("infeasible: no row of statement 'S' is linearly "
                              "independent of those before"),
      std::string::npos)
      << result.traceText();
  EXPECT_EQ(rowsOf(result, 1), "S[1,0,0] T[1,0,0]");
  EXPECT_EQ(rowsOf(result, 2), "S[0,1,0] T[0,1,0]");
}

TEST(ConstraintTree, RelaxesCoincidenceLast) {
  IslContext context;
  SchedulingProblem problem = makeReduction(context);
  NodePtr node = coincident(loop(problem, "S.j T.j"));
  node->execution.vectorWidth = 4;
  node->execution.mapping = Mapping::ThreadX;
  ConstraintTree tree = treeOf(std::move(node));
  SchedulingResult result = solve(problem, &tree);
  EXPECT_EQ(result.origin, Origin::Relaxed);
  EXPECT_EQ(result.remark,
            "followed the constraint tree along 0, without asking for linearly "
            "independent or coincident rows");
  EXPECT_EQ(result.schedule.dims[0].execution.vectorWidth, 4u);
  EXPECT_EQ(result.schedule.dims[0].execution.mapping, Mapping::ThreadX);
  EXPECT_TRUE(result.schedule.dims[0].reductionParallel);
}

TEST(ConstraintTree, IsGivenUpIfNothingHelps) {
  IslContext context;
  SchedulingProblem problem = makeReduction(context);
  ConstraintTree tree = treeOf(sequence("T; S"));
  SchedulingResult result = solve(problem, &tree);
  EXPECT_EQ(result.origin, Origin::Completed);
  EXPECT_EQ(result.remark,
            "the constraint tree was given up (no path is feasible); scheduled "
            "without a constraint tree");
}

//===----------------------------------------------------------------------===//
// Refusals
//===----------------------------------------------------------------------===//

/// The error that the scheduler gives for a tree of this path.
std::string refusalOf(const SchedulingProblem &problem, NodePtr root) {
  ConstraintTree tree = treeOf(std::move(root));
  std::string message = messageOf(tree.check(problem));
  EXPECT_EQ(messageOf(createIlpScheduler()->schedule(problem, &tree, {})),
            message);
  return message;
}

TEST(ConstraintTree, RefusesWhatMakesNoSense) {
  IslContext context;
  SchedulingProblem problem = makeReduction(context);
  auto withConstraint = [&](CoefficientConstraint constraint) {
    auto node = std::make_unique<ConstraintTreeNode>();
    node->constraints.push_back(std::move(constraint));
    return node;
  };
  EXPECT_EQ(refusalOf(problem, withConstraint(bound("Z", 0, 1, 0, true))),
            "constraint tree, node 0 (linear Z.0 = 0): there is no statement "
            "'Z'; there are 'S', 'T'");
  EXPECT_EQ(refusalOf(problem, withConstraint(bound("S", 3, 1, 0, true))),
            "constraint tree, node 0 (linear S.3 = 0): statement 'S' has no "
            "coefficient 3; the last, 2, is the constant");
  EXPECT_EQ(
      refusalOf(problem, path(loop(problem, "S.i"),
                              withConstraint({{{1, {"S", 0, 1}}}, 0, true}))),
      "constraint tree, node 0.0 (linear S.i@1 = 0): dimension 1 is not "
      "known yet at dimension 1; nodes name outer dimensions");
  EXPECT_EQ(refusalOf(problem, withConstraint(bound("S", 0, 2, -1, true))),
            "constraint tree, node 0 (linear 2 S.i - 1 = 0): the constraints "
            "on coefficient 0 of statement 'S' contradict each other");
  EXPECT_EQ(refusalOf(problem, withConstraint({{}, -1, false})),
            "constraint tree, node 0 (linear -1 >= 0): a constraint without "
            "coefficients is false");
  EXPECT_EQ(
      refusalOf(problem, withConstraint(bound("S", 0, INT64_MIN, 0, true))),
      "constraint tree, node 0 (linear -9223372036854775808 S.i = 0): a number "
      "needs more than 64 bits");
  NodePtr node = withConstraint(bound("S", 0, 1, -2, false));
  node->constraints.push_back(bound("S", 0, -1, 1, false));
  EXPECT_EQ(refusalOf(problem, std::move(node)),
            "constraint tree, node 0 (linear S.i >= 2, -S.i + 1 >= 0): the "
            "constraints on coefficient 0 of statement 'S' contradict each "
            "other");
  node = loop(problem, "");
  node->coincidence = Coincidence::Listed;
  EXPECT_EQ(refusalOf(problem, std::move(node)),
            "constraint tree, node 0 (linear; coincident for ): dependences "
            "are listed if and only if coincidence is asked for those listed");
  node = loop(problem, "");
  node->coincidence = Coincidence::Listed;
  node->coincidentDependences = {"z"};
  EXPECT_EQ(refusalOf(problem, std::move(node)),
            "constraint tree, node 0 (linear; coincident for z): there is no "
            "dependence 'z'; there are 'a', 'sum'");
  node = loop(problem, "");
  node->execution.vectorWidth = 0;
  EXPECT_EQ(refusalOf(problem, std::move(node)),
            "constraint tree, node 0 (linear; vector 0): a vector has at least "
            "one element");
  node = loop(problem, "");
  node->execution.vectorStatements = {"S"};
  EXPECT_EQ(refusalOf(problem, std::move(node)),
            "constraint tree, node 0 (linear of S): statements to vectorise "
            "need a vector width");
  node = loop(problem, "");
  node->execution.masked = true;
  EXPECT_EQ(refusalOf(problem, std::move(node)),
            "constraint tree, node 0 (linear): masks need a vector width");
  node = loop(problem, "");
  node->order = {{"S", "T"}};
  EXPECT_EQ(refusalOf(problem, std::move(node)),
            "constraint tree, node 0 (linear): only a sequence has an order");
  EXPECT_EQ(refusalOf(problem, sequence("S")),
            "constraint tree, node 0 (sequence S): the order lacks statement "
            "'T'");
  EXPECT_EQ(refusalOf(problem, sequence("S; T; S")),
            "constraint tree, node 0 (sequence S; T; S): the order has "
            "statement 'S' twice");
  EXPECT_EQ(refusalOf(problem, sequence("S; ; T")),
            "constraint tree, node 0 (sequence S; ; T): a group of the order "
            "is empty");
  EXPECT_EQ(refusalOf(problem, sequence("S; T U")),
            "constraint tree, node 0 (sequence S; T, U): there is no statement "
            "'U'; there are 'S', 'T'");
  node = sequence("S; T");
  node->coincidence = Coincidence::All;
  EXPECT_EQ(refusalOf(problem, std::move(node)),
            "constraint tree, node 0 (sequence S; T; coincident): a sequence "
            "has an order and nothing else");
  EXPECT_EQ(refusalOf(problem, nullptr),
            "constraint tree, node 0: the node is null");
}

} // namespace
} // namespace grout::test
