//===- TestProblems.h - Problems and trees for tests ------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_UNITTESTS_SCHEDULING_TESTPROBLEMS_H
#define GROUT_UNITTESTS_SCHEDULING_TESTPROBLEMS_H

#include "grout/Scheduling/Scheduler.h"
#include "gtest/gtest.h"

namespace grout::test {

template <typename T> T unwrapOrDie(llvm::Expected<T> value) {
  if (!value)
    llvm::report_fatal_error(value.takeError());
  return std::move(*value);
}

/// "" for success.
inline std::string messageOf(llvm::Error error) {
  return error ? llvm::toString(std::move(error)) : "";
}
template <typename T> std::string messageOf(llvm::Expected<T> value) {
  return value ? "" : llvm::toString(value.takeError());
}

/// X: B[i, k] = f(A[i, k]); Y: C[i, j] += B[i, k] * D[k, i, j].
SchedulingProblem makeWorkedCase(const IslContext &context);

/// A chain of elementwise statements S0, S1, ... of `rank` dimensions; or, with
/// a reach, of stencils along the first dimension.
SchedulingProblem makeChain(const IslContext &context, unsigned statements,
                            unsigned rank, int64_t extent, int reach = 0);

/// A dependence in isl's notation, { source[i] -> target[j] : ... }.
struct DependenceSource {
  std::string name, relation;
  DependenceKind kind;
  bool isReduction = false;
};
inline DependenceSource flow(std::string name, std::string relation) {
  return {std::move(name), std::move(relation), DependenceKind::Flow};
}
inline DependenceSource anti(std::string name, std::string relation) {
  return {std::move(name), std::move(relation), DependenceKind::Anti};
}
inline DependenceSource output(std::string name, std::string relation) {
  return {std::move(name), std::move(relation), DependenceKind::Output};
}
inline DependenceSource reduction(std::string name, std::string relation) {
  return {std::move(name), std::move(relation), DependenceKind::Flow, true};
}

/// The problem of these domains, in isl's notation, and dependences. Names are
/// those of the tuples.
SchedulingProblem
makeProblem(const IslContext &context, const std::vector<std::string> &domains,
            const std::vector<DependenceSource> &dependences = {});

struct NamedProblem {
  std::string name;
  std::vector<std::string> domains;
  std::vector<DependenceSource> dependences;
};
inline SchedulingProblem makeProblem(const IslContext &context,
                                     const NamedProblem &problem) {
  return makeProblem(context, problem.domains, problem.dependences);
}

/// Problems like those of PolyBench, and fused operators of neural networks.
std::vector<NamedProblem> getKernels();

/// A schedule as #scop.schedule has it, from the angle brackets on, and back;
/// none if that is refused.
std::string toText(const Schedule &schedule);
std::optional<Schedule> tryParseSchedule(llvm::StringRef text);
inline Schedule parseSchedule(llvm::StringRef text) {
  std::optional<Schedule> schedule = tryParseSchedule(text);
  if (!schedule)
    llvm::report_fatal_error("not a schedule: " + text);
  return std::move(*schedule);
}

using NodePtr = std::unique_ptr<ConstraintTreeNode>;

/// A linear node whose rows are fixed: "X.i Y.j" has coefficient 1 for i in X
/// and for j in Y, and 0 for all others, constants included. Statements that
/// are not named are free.
NodePtr loop(const SchedulingProblem &problem, llvm::StringRef ones);
/// "X; Y Z".
NodePtr sequence(llvm::StringRef order);
/// A path of nodes.
NodePtr path(std::vector<NodePtr> nodes);
template <typename... Nodes> NodePtr path(NodePtr first, Nodes... rest) {
  std::vector<NodePtr> nodes;
  nodes.push_back(std::move(first));
  (nodes.push_back(std::move(rest)), ...);
  return path(std::move(nodes));
}
inline NodePtr coincident(NodePtr node) {
  node->coincidence = Coincidence::All;
  return node;
}
template <typename... Roots> ConstraintTree treeOf(Roots... roots) {
  ConstraintTree tree;
  (tree.roots.push_back(std::move(roots)), ...);
  return tree;
}

/// Solves with the ILP scheduler; the result has been verified.
SchedulingResult solve(const SchedulingProblem &problem,
                       const ConstraintTree *tree = nullptr,
                       SchedulerOptions options = {});

} // namespace grout::test

#endif // GROUT_UNITTESTS_SCHEDULING_TESTPROBLEMS_H
