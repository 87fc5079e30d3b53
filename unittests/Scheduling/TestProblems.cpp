//===- TestProblems.cpp - Problems and trees for tests --------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "TestProblems.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

namespace grout::test {

SchedulingProblem makeWorkedCase(const IslContext &context) {
  return unwrapOrDie(SchedulingProblem::parse(context, R"(
    statement { X[i, k] : 0 <= i < 8 and 0 <= k < 8 }
    statement { Y[i, j, k] : 0 <= i < 8 and 0 <= j < 8 and 0 <= k < 8 }
    flow product { X[i, k] -> Y[i, j, k] }
    flow sum { Y[i, j, k] -> Y[i, j, k + 1] }
  )"));
}

SchedulingProblem makeChain(const IslContext &context, unsigned statements,
                            unsigned rank, int64_t extent) {
  SchedulingProblem problem(context);
  std::string tuple;
  std::vector<std::string> iterators;
  for (unsigned i = 0; i < rank; ++i) {
    iterators.push_back("i" + std::to_string(i));
    tuple += (i ? ", " : "") + iterators.back();
  }
  std::vector<int64_t> extents(rank, extent);
  for (unsigned s = 0; s < statements; ++s) {
    std::string name = "S" + std::to_string(s);
    problem.addStatement(
        {name, iterators,
         unwrapOrDie(IterationDomain::box(context, name, extents))});
    if (s == 0)
      continue;
    std::string source = "S" + std::to_string(s - 1);
    ScopDependence dependence;
    dependence.name = "d" + std::to_string(s);
    dependence.source = source;
    dependence.target = name;
    dependence.relation = unwrapOrDie(
        Relation::parse(context, "{ " + source + "[" + tuple + "] -> " + name +
                                     "[" + tuple + "] }"));
    problem.addDependence(std::move(dependence));
  }
  return problem;
}

/// The words of `text`.
static llvm::SmallVector<llvm::StringRef> split(llvm::StringRef text) {
  llvm::SmallVector<llvm::StringRef> words;
  text.split(words, ' ', -1, /*KeepEmpty=*/false);
  return words;
}

NodePtr loop(const SchedulingProblem &problem, llvm::StringRef ones) {
  auto node = std::make_unique<ConstraintTreeNode>();
  for (llvm::StringRef word : split(ones)) {
    auto [name, iterator] = word.split('.');
    const ScopStatement *statement = problem.findStatement(name);
    for (unsigned i = 0; i <= statement->iterators.size(); ++i) {
      CoefficientConstraint constraint;
      constraint.terms.push_back({1, {statement->name, i, std::nullopt}});
      if (i < statement->iterators.size() &&
          statement->iterators[i] == iterator)
        constraint.constant = -1;
      node->constraints.push_back(std::move(constraint));
    }
  }
  return node;
}

NodePtr sequence(llvm::StringRef order) {
  auto node = std::make_unique<ConstraintTreeNode>();
  node->kind = ConstraintTreeNode::Kind::Sequence;
  llvm::SmallVector<llvm::StringRef> groups;
  order.split(groups, ';');
  for (llvm::StringRef group : groups) {
    node->order.emplace_back();
    for (llvm::StringRef name : split(group))
      node->order.back().push_back(name.str());
  }
  return node;
}

NodePtr path(std::vector<NodePtr> nodes) {
  NodePtr result;
  for (NodePtr &node : llvm::reverse(nodes)) {
    if (result)
      node->children.push_back(std::move(result));
    result = std::move(node);
  }
  return result;
}

SchedulingResult solve(const SchedulingProblem &problem,
                       const ConstraintTree *tree, SchedulerOptions options) {
  SchedulingResult result =
      unwrapOrDie(createIlpScheduler()->schedule(problem, tree, options));
  EXPECT_EQ(messageOf(problem.verify(result.schedule)), "")
      << result.schedule.str();
  return result;
}

} // namespace grout::test
