//===- ProgramOrder.cpp - A policy of constraint trees --------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "image/ProgramOrder.h"

#include "grout/Dialect/Scop/IR/Scop.h"

using namespace grout;
using namespace grout::scop;
using namespace image;

/// Adds to `node` that its row is iterator `iterator` of `statement`.
static void addRow(ConstraintTreeNode &node, StmtOp statement,
                   unsigned iterator) {
  for (unsigned i = 0; i != statement.getNumIterators(); ++i) {
    CoefficientRef coefficient{statement.getSymName().str(), i, std::nullopt};
    int64_t value = i == iterator ? 1 : 0;
    // The coefficient - value == 0.
    node.constraints.push_back({{{1, coefficient}}, -value, true});
  }
}

/// A node that is iterator `iterator` of all statements of `kernel`.
static std::unique_ptr<ConstraintTreeNode> createNode(scop::KernelOp kernel,
                                                      unsigned iterator) {
  auto node = std::make_unique<ConstraintTreeNode>();
  for (StmtOp statement : kernel.getStatements())
    addRow(*node, statement, iterator);
  return node;
}

llvm::Expected<std::optional<ConstraintTree>>
ProgramOrder::build(scop::KernelOp kernel, const SchedulingProblem &,
                    const ConstraintTreeOptions &) const {
  StmtOp first = *kernel.getStatements().begin();
  auto hasSameLoops = [&](StmtOp statement) {
    return statement.getExtents() == first.getExtents();
  };
  unsigned numLoops = first.getNumIterators();
  // Nothing is steered where statements differ in their loops.
  if (numLoops == 0 || !llvm::all_of(kernel.getStatements(), hasSameLoops))
    return std::nullopt;

  std::unique_ptr<ConstraintTreeNode> node = createNode(kernel, numLoops - 1);
  node->execution.mapping = Mapping::ThreadX;
  node->execution.vectorWidth = first.getExtents().back() % 4 == 0 ? 4 : 1;
  for (unsigned loop = numLoops - 1; loop-- != 0;) {
    std::unique_ptr<ConstraintTreeNode> outer = createNode(kernel, loop);
    outer->children.push_back(std::move(node));
    node = std::move(outer);
  }
  ConstraintTree tree;
  tree.roots.push_back(std::move(node));
  return std::optional(std::move(tree));
}
