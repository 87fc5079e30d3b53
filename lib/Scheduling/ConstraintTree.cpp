//===- ConstraintTree.cpp - Steering the scheduler ------------------------===//
//
// Part of Grout. CheckConstraintTree.cpp has check().
//
//===----------------------------------------------------------------------===//

#include "grout/Scheduling/ConstraintTree.h"

#include "grout/Scheduling/SchedulingProblem.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

namespace grout {

/// Returns "X.i", "X.const", or "X.i@0" for an outer row.
static std::string print(const CoefficientRef &ref,
                         const SchedulingProblem &problem) {
  const ScopStatement *statement = problem.findStatement(ref.statement);
  std::string text = ref.statement + ".";
  if (statement && ref.position < statement->iterators.size())
    text += statement->iterators[ref.position];
  else if (statement && ref.position == statement->iterators.size())
    text += "const";
  else
    text += std::to_string(ref.position);
  if (ref.dim)
    text += "@" + std::to_string(*ref.dim);
  return text;
}

static void print(llvm::raw_ostream &os,
                  const CoefficientConstraint &constraint,
                  const SchedulingProblem &problem) {
  llvm::StringRef relation = constraint.equality ? " = " : " >= ";
  auto magnitude = [](int64_t value) {
    return value < 0 ? 0 - static_cast<uint64_t>(value)
                     : static_cast<uint64_t>(value);
  };
  // In the usual case, a bound of one coefficient, solve for the coefficient.
  if (constraint.terms.size() == 1 && constraint.terms.front().factor == 1) {
    os << print(constraint.terms.front().coefficient, problem) << relation
       << (constraint.constant > 0 ? "-" : "")
       << magnitude(constraint.constant);
    return;
  }
  bool first = true;
  for (const CoefficientConstraint::Term &term : constraint.terms) {
    os << (term.factor < 0 ? (first ? "-" : " - ") : (first ? "" : " + "));
    if (magnitude(term.factor) != 1)
      os << magnitude(term.factor) << ' ';
    os << print(term.coefficient, problem);
    first = false;
  }
  if (constraint.constant != 0 || first)
    os << (constraint.constant < 0 ? (first ? "-" : " - ")
                                   : (first ? "" : " + "))
       << magnitude(constraint.constant);
  os << relation << 0;
}

std::string ConstraintTreeNode::str(const SchedulingProblem &problem) const {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (kind == DimKind::Sequence) {
    os << "sequence ";
    llvm::interleave(
        order, os, [&](const auto &group) { llvm::interleaveComma(group, os); },
        "; ");
  } else {
    os << "linear";
    if (!constraints.empty())
      os << ' ';
    llvm::interleaveComma(constraints, os, [&](const auto &constraint) {
      print(os, constraint, problem);
    });
  }
  if (coincidence == Coincidence::All)
    os << "; coincident";
  if (coincidence == Coincidence::Listed) {
    os << "; coincident for ";
    llvm::interleaveComma(coincidentDependences, os);
  }
  if (newBand)
    os << "; new band";
  if (execution.mapping)
    os << "; " << *execution.mapping;
  if (execution.vectorWidth != 1)
    os << "; vector " << execution.vectorWidth
       << (execution.masked ? " masked" : "");
  if (!execution.vectorStatements.empty()) {
    os << " of ";
    llvm::interleaveComma(execution.vectorStatements, os);
  }
  return text;
}

static void print(llvm::raw_ostream &os,
                  const std::vector<std::unique_ptr<ConstraintTreeNode>> &nodes,
                  const SchedulingProblem &problem, unsigned indent) {
  for (const std::unique_ptr<ConstraintTreeNode> &node : nodes) {
    os.indent(indent) << node->str(problem) << '\n';
    print(os, node->children, problem, indent + 2);
  }
}

std::string ConstraintTree::str(const SchedulingProblem &problem) const {
  std::string text;
  llvm::raw_string_ostream os(text);
  print(os, roots, problem, 0);
  return text;
}

} // namespace grout
