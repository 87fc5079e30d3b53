//===- CheckConstraintTree.cpp - Checks constraint trees ------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Scheduling/ConstraintTree.h"
#include "grout/Scheduling/SchedulingProblem.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include <map>

namespace grout {
namespace {

using Node = ConstraintTreeNode;

class TreeChecker {
public:
  explicit TreeChecker(const SchedulingProblem &problem) : problem(problem) {}

  llvm::Error check(const std::vector<std::unique_ptr<Node>> &nodes,
                    unsigned depth, const std::string &path) {
    for (auto [number, node] : llvm::enumerate(nodes)) {
      std::string name = path.empty() ? std::to_string(number)
                                      : path + "." + std::to_string(number);
      if (!node)
        return refuse("constraint tree, node " + name + ": the node is null");
      where = "constraint tree, node " + name + " (" + node->str(problem) + ")";
      if (llvm::Error error = node->kind == DimKind::Linear
                                  ? checkLinear(*node, depth)
                                  : checkSequence(*node))
        return error;
      if (llvm::Error error = check(node->children, depth + 1, name))
        return error;
    }
    return llvm::Error::success();
  }

private:
  static llvm::Error refuse(std::string message) {
    return llvm::make_error<AnalysisError>(AnalysisErrorKind::Invalid,
                                           std::move(message));
  }
  llvm::Error error(const std::string &message) const {
    return refuse(where + ": " + message);
  }

  llvm::Error unknownStatement(const std::string &name) const {
    return error("there is no statement '" + name + "'" +
                 list(problem.getStatements()));
  }

  /// Returns "; there are 'A', 'B'", with the names of `elements`.
  template <typename T> static std::string list(llvm::ArrayRef<T> elements) {
    if (elements.empty())
      return "; there are none";
    auto names = llvm::map_range(
        elements, [](const T &element) { return "'" + element.name + "'"; });
    return "; there are " + llvm::join(names, ", ");
  }

  llvm::Error checkSequence(const Node &node) const {
    if (!node.constraints.empty() || node.coincidence != Coincidence::None ||
        !node.coincidentDependences.empty() ||
        !(node.execution == LoopExecution()))
      return error("a sequence has an order and nothing else");
    llvm::StringSet<> seen;
    for (const std::vector<std::string> &group : node.order) {
      if (group.empty())
        return error("a group of the order is empty");
      for (const std::string &name : group) {
        if (!problem.findStatement(name))
          return unknownStatement(name);
        if (!seen.insert(name).second)
          return error("the order has statement '" + name + "' twice");
      }
    }
    for (const ScopStatement &statement : problem.getStatements())
      if (!seen.contains(statement.name))
        return error("the order lacks statement '" + statement.name + "'");
    return llvm::Error::success();
  }

  llvm::Error checkLinear(const Node &node, unsigned depth) const {
    if (!node.order.empty())
      return error("only a sequence has an order");
    if ((node.coincidence == Coincidence::Listed) ==
        node.coincidentDependences.empty())
      return error("dependences are listed if and only if coincidence is asked "
                   "for those listed");
    for (const std::string &name : node.coincidentDependences)
      if (!problem.findDependence(name))
        return error("there is no dependence '" + name + "'" +
                     list(problem.getDependences()));
    if (llvm::StringRef wrong = node.execution.findContradiction();
        !wrong.empty())
      return error(wrong.str());
    for (const std::string &name : node.execution.vectorStatements)
      if (!problem.findStatement(name))
        return unknownStatement(name);
    for (const CoefficientConstraint &constraint : node.constraints)
      for (const CoefficientConstraint::Term &term : constraint.terms)
        if (llvm::Error error = check(term.coefficient, depth))
          return error;
    return checkBounds(node);
  }

  llvm::Error check(const CoefficientRef &ref, unsigned depth) const {
    const ScopStatement *statement = problem.findStatement(ref.statement);
    if (!statement)
      return unknownStatement(ref.statement);
    if (ref.position > statement->iterators.size())
      return error("statement '" + ref.statement + "' has no coefficient " +
                   std::to_string(ref.position) + "; the last, " +
                   std::to_string(statement->iterators.size()) +
                   ", is the constant");
    if (ref.dim && *ref.dim >= depth)
      return error("dimension " + std::to_string(*ref.dim) +
                   " is not known yet at dimension " + std::to_string(depth) +
                   "; nodes name outer dimensions");
    return llvm::Error::success();
  }

  /// Refuses bounds of one coefficient that no integer satisfies together.
  llvm::Error checkBounds(const Node &node) const {
    __extension__ using Wide = __int128;
    std::map<std::pair<std::string, unsigned>, std::pair<Wide, Wide>> bounds;
    for (const CoefficientConstraint &constraint : node.constraints) {
      if (constraint.constant == INT64_MIN ||
          llvm::any_of(constraint.terms,
                       [](const auto &t) { return t.factor == INT64_MIN; }))
        return error("a number needs more than 64 bits");
      if (constraint.terms.empty()) {
        if (constraint.equality ? constraint.constant != 0
                                : constraint.constant < 0)
          return error("a constraint without coefficients is false");
        continue;
      }
      const CoefficientConstraint::Term &term = constraint.terms.front();
      if (constraint.terms.size() > 1 || term.coefficient.dim ||
          term.factor == 0)
        continue;
      auto &[low, high] =
          bounds
              .try_emplace(
                  {term.coefficient.statement, term.coefficient.position},
                  std::pair<Wide, Wide>(INT64_MIN, INT64_MAX))
              .first->second;
      // The constraint is factor * x + constant >= 0. An equality also has the
      // converse.
      Wide numerator = -static_cast<Wide>(constraint.constant);
      Wide quotient = numerator / term.factor;
      Wide remainder = numerator % term.factor;
      bool positive = (remainder > 0) == (term.factor > 0);
      Wide ceiling = quotient + (remainder != 0 && positive);
      Wide floor = quotient - (remainder != 0 && !positive);
      if (constraint.equality || term.factor > 0)
        low = std::max(low, ceiling);
      if (constraint.equality || term.factor < 0)
        high = std::min(high, floor);
      if (low > high)
        return error("the constraints on coefficient " +
                     std::to_string(term.coefficient.position) +
                     " of statement '" + term.coefficient.statement +
                     "' contradict each other");
    }
    return llvm::Error::success();
  }

  const SchedulingProblem &problem;
  std::string where;
};

} // namespace

llvm::Error ConstraintTree::check(const SchedulingProblem &problem) const {
  return TreeChecker(problem).check(roots, 0, "");
}

} // namespace grout
