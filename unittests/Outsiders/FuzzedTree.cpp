//===- FuzzedTree.cpp - Policies that build any constraint tree -----------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "FuzzedTree.h"

#include <random>

using namespace mlir;
using namespace grout;
using namespace grout::test;

namespace {

/// Draws one tree.
class TreeDrawer {
public:
  TreeDrawer(unsigned seed, scop::KernelOp kernel) : random(seed) {
    for (scop::StmtOp statement : kernel.getStatements())
      statements.push_back(statement.getSymName().str());
  }

  bool chance(unsigned number) { return random() % number == 0; }

  std::unique_ptr<ConstraintTreeNode> drawNode(unsigned depth) {
    if (chance(40))
      return nullptr;
    auto node = std::make_unique<ConstraintTreeNode>();
    if (statements.size() > 1 && chance(4))
      drawSequence(*node);
    else
      drawLinear(*node, depth);
    if (chance(40))
      node->order.push_back({statements.front()});
    if (chance(40))
      node->coincidentDependences.push_back("nothing");
    for (unsigned children = depth < 4 ? random() % 3 : 0; children != 0;
         --children)
      node->children.push_back(drawNode(depth + 1));
    return node;
  }

private:
  void drawSequence(ConstraintTreeNode &node) {
    node.kind = DimKind::Sequence;
    std::vector<std::string> left = statements;
    std::shuffle(left.begin(), left.end(), random);
    for (const std::string &statement : left)
      if (node.order.empty() || chance(2))
        node.order.push_back({statement});
      else
        node.order.back().push_back(statement);
    if (chance(20))
      node.order.back().push_back(left.front());
    if (chance(20))
      node.order.emplace_back();
  }

  void drawLinear(ConstraintTreeNode &node, unsigned depth) {
    if (chance(2))
      drawIterators(node);
    for (unsigned i = random() % 3; i != 0; --i)
      node.constraints.push_back(drawConstraint(depth));
    node.newBand = chance(6);
    if (chance(4))
      node.coincidence = static_cast<Coincidence>(random() % 3);
    if (chance(4))
      node.execution.vectorWidth = random() % 6;
    if (chance(6))
      node.execution.masked = true;
    if (chance(6))
      node.execution.mapping = static_cast<Mapping>(random() % 3);
    if (chance(8))
      node.execution.vectorStatements.push_back(drawName());
  }

  /// Asks for the same iterator of each statement, or the negative one.
  void drawIterators(ConstraintTreeNode &node) {
    unsigned iterator = random() % 2;
    int64_t factor = chance(8) ? 1 : -1;
    for (const std::string &statement : statements)
      for (unsigned position = 0; position != 2; ++position)
        node.constraints.push_back({{{1, {statement, position, std::nullopt}}},
                                    position == iterator ? factor : 0,
                                    /*equality=*/true});
  }

  std::string drawName() {
    return chance(20) ? "nothing" : statements[random() % statements.size()];
  }

  int64_t drawNumber() {
    constexpr int64_t common[] = {0, 1, -1, 2, -2};
    constexpr int64_t extreme[] = {INT64_MAX, INT64_MIN, INT64_MIN + 1,
                                   int64_t(1) << 40};
    return chance(20) ? extreme[random() % std::size(extreme)]
                      : common[random() % std::size(common)];
  }

  CoefficientConstraint drawConstraint(unsigned depth) {
    CoefficientConstraint constraint;
    for (unsigned i = random() % 4; i != 0; --i) {
      CoefficientRef ref;
      ref.statement = drawName();
      ref.position = chance(20) ? 7 : random() % 3;
      if (chance(4))
        ref.dim = random() % (depth + 1);
      constraint.terms.push_back({drawNumber(), ref});
    }
    constraint.constant = drawNumber();
    constraint.equality = chance(2);
    return constraint;
  }

  std::mt19937 random;
  std::vector<std::string> statements;
};

class FuzzedTree : public scop::ConstraintTreePolicy {
public:
  explicit FuzzedTree(unsigned seed) : seed(seed) {}
  llvm::StringRef getName() const override { return "any-tree"; }

  llvm::Expected<std::optional<ConstraintTree>>
  build(scop::KernelOp kernel, const SchedulingProblem &,
        const scop::ConstraintTreeOptions &) const override {
    TreeDrawer drawer(seed, kernel);
    if (drawer.chance(30))
      return llvm::createStringError("any-tree cannot tell");
    if (drawer.chance(30))
      return std::optional<ConstraintTree>();
    ConstraintTree tree;
    for (unsigned roots = 0; roots == 0 || drawer.chance(2); ++roots)
      tree.roots.push_back(drawer.drawNode(/*depth=*/0));
    return std::optional(std::move(tree));
  }

private:
  unsigned seed;
};

} // namespace

std::unique_ptr<scop::ConstraintTreePolicy>
test::createFuzzedTree(unsigned seed) {
  return std::make_unique<FuzzedTree>(seed);
}
