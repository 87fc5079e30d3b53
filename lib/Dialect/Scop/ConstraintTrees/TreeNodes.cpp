//===- TreeNodes.cpp - Makes nodes of constraint trees --------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "TreeNodes.h"

#include "llvm/ADT/STLExtras.h"

using namespace grout;

void scop::fixRow(ConstraintTreeNode &node, const std::string &statement,
                  unsigned numIterators, std::optional<unsigned> iterator) {
  for (unsigned i = 0; i != numIterators; ++i) {
    CoefficientConstraint constraint;
    constraint.terms.push_back({1, {statement, i, std::nullopt}});
    constraint.constant = i == iterator ? -1 : 0;
    node.constraints.push_back(std::move(constraint));
  }
}

static bool isSame(const CoefficientConstraint &a,
                   const CoefficientConstraint &b) {
  auto isSameTerm = [](const CoefficientConstraint::Term &x,
                       const CoefficientConstraint::Term &y) {
    return x.factor == y.factor &&
           x.coefficient.statement == y.coefficient.statement &&
           x.coefficient.position == y.coefficient.position &&
           x.coefficient.dim == y.coefficient.dim;
  };
  return a.constant == b.constant && a.equality == b.equality &&
         llvm::equal(a.terms, b.terms, isSameTerm);
}

/// Whether two nodes are the same, apart from their children.
static bool isSame(const ConstraintTreeNode &a, const ConstraintTreeNode &b) {
  auto isSameConstraint = [](const CoefficientConstraint &x,
                             const CoefficientConstraint &y) {
    return isSame(x, y);
  };
  return a.kind == b.kind && a.coincidence == b.coincidence &&
         a.coincidentDependences == b.coincidentDependences &&
         a.newBand == b.newBand && a.order == b.order &&
         a.execution == b.execution &&
         llvm::equal(a.constraints, b.constraints, isSameConstraint);
}

void scop::addPath(ConstraintTree &tree,
                   std::vector<std::unique_ptr<ConstraintTreeNode>> path) {
  std::vector<std::unique_ptr<ConstraintTreeNode>> *level = &tree.roots;
  for (std::unique_ptr<ConstraintTreeNode> &node : path) {
    if (level->empty() || !isSame(*level->back(), *node))
      level->push_back(std::move(node));
    level = &level->back()->children;
  }
}
