//===- ConstraintTree.h - Steering the scheduler ----------------*- C++ -*-===//
//
// Part of Grout. Alternatives, in order of preference, for the dimensions of a
// schedule, after Bastoul et al., "Optimizing GPU deep learning operators with
// polyhedral scheduling constraint injection" (CGO 2022). The builder of the
// tree decides everything that is not linear (strides, vectors, coalescing), so
// the scheduler stays linear.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_SCHEDULING_CONSTRAINTTREE_H
#define GROUT_SCHEDULING_CONSTRAINTTREE_H

#include "grout/Scheduling/Schedule.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace grout {

class SchedulingProblem;

/// A coefficient of a schedule row.
struct CoefficientRef {
  std::string statement;
  /// The number of an iterator. The number of iterators stands for the
  /// constant.
  unsigned position = 0;
  /// The dimension of an outer row, which has been computed before. Absent: the
  /// row of the node itself.
  std::optional<unsigned> dim;
};

/// A constraint: the sum of factor * coefficient, plus a constant, is == 0 or
/// >= 0.
struct CoefficientConstraint {
  struct Term {
    int64_t factor;
    CoefficientRef coefficient;
  };

  std::vector<Term> terms;
  int64_t constant = 0;
  bool equality = true;
};

/// The constraints on one dimension of the schedule. The node's depth in the
/// tree is the number of the dimension.
struct ConstraintTreeNode {
  DimKind kind = DimKind::Linear;
  /// Constraints on the row's coefficients. Linear only.
  std::vector<CoefficientConstraint> constraints;
  /// The dependences that must have distance zero in this dimension: none, all
  /// dependences of the band, or `coincidentDependences`. Linear only.
  Coincidence coincidence = Coincidence::None;
  std::vector<std::string> coincidentDependences;
  /// Whether the node starts a band: then dependences that earlier rows carry
  /// no longer constrain this row. Otherwise the scheduler starts a band only
  /// if there is no other way.
  bool newBand = false;
  /// Groups of statements that run one after another. Each statement is in
  /// exactly one group. Sequence only.
  std::vector<std::vector<std::string>> order;
  /// How the loop is executed. With a vector or a mapping, only dependences of
  /// reductions may have a distance in this dimension; together with All, not
  /// even these. Linear only.
  LoopExecution execution;
  /// Alternatives for the next dimension, in order of preference. A leaf leaves
  /// the remaining dimensions to the scheduler.
  std::vector<std::unique_ptr<ConstraintTreeNode>> children;

  /// Returns the node without its children on one line, such as
  ///   linear X.i = 1, X.const = 0, Y.i - X.i@0 = 0; coincident; vector 4 of X
  ///   sequence X; Y, Z
  /// The names of iterators come from `problem`.
  std::string str(const SchedulingProblem &problem) const;
};

/// Alternatives for the first dimension, in order of preference.
struct ConstraintTree {
  std::vector<std::unique_ptr<ConstraintTreeNode>> roots;

  /// Returns the nodes, one on a line, with children two columns to the right.
  std::string str(const SchedulingProblem &problem) const;

  /// Checks whether the tree makes sense for the problem, as far as no solving
  /// is needed. Names, positions and dimensions must exist, and orders must be
  /// complete. No node may use a field that its kind cannot have, or contradict
  /// itself on a single coefficient.
  llvm::Error check(const SchedulingProblem &problem) const;
};

} // namespace grout

#endif // GROUT_SCHEDULING_CONSTRAINTTREE_H
