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

/// A chain of elementwise statements S0, S1, ... of `rank` dimensions.
SchedulingProblem makeChain(const IslContext &context, unsigned statements,
                            unsigned rank, int64_t extent);

struct NamedText {
  std::string name, text;
};

/// Problems like those of PolyBench, and fused operators of neural networks.
std::vector<NamedText> getKernels();

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
  node->coincidence = ConstraintTreeNode::Coincidence::All;
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
