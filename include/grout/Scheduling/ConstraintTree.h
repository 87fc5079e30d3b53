//===- ConstraintTree.h - Steering the scheduler ----------------*- C++ -*-===//
//
// Part of Grout. Alternatives, in order of preference, for the dimensions of a
// schedule, after Bastoul et al., "Optimizing GPU deep learning operators with
// polyhedral scheduling constraint injection" (CGO 2022): whoever builds the
// tree decides what is not linear (strides, vectors, coalescing); the scheduler
// stays linear.
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
  /// The number of an iterator, or the number of iterators for the constant.
  unsigned position = 0;
  /// The dimension of an outer row, which is known by then; absent: the row of
  /// the node itself.
  std::optional<unsigned> dim;
};

/// Sum of factor * coefficient, plus a constant, == 0 or >= 0.
struct CoefficientConstraint {
  struct Term {
    int64_t factor;
    CoefficientRef coefficient;
  };

  std::vector<Term> terms;
  int64_t constant = 0;
  bool equality = true;
};

/// What one dimension of the schedule has to be. The node's depth in the tree
/// is the number of the dimension.
struct ConstraintTreeNode {
  DimKind kind = DimKind::Linear;
  /// On the row's coefficients. Linear only.
  std::vector<CoefficientConstraint> constraints;
  /// Which dependences have distance zero here: none need, every one of the
  /// band has, or those of `coincidentDependences`. Linear only.
  Coincidence coincidence = Coincidence::None;
  std::vector<std::string> coincidentDependences;
  /// Starts a band: dependences that earlier rows carry no longer constrain
  /// this row. Otherwise the scheduler does so only if there is no other way.
  bool newBand = false;
  /// Groups that run one after another; each statement in exactly one. Sequence
  /// only.
  std::vector<std::vector<std::string>> order;
  /// A vector or a mapping asks that no dependences but those of reductions
  /// have a distance; together with All, that those have none either. Linear
  /// only.
  LoopExecution execution;
  /// Alternatives for the next dimension, in order of preference. A leaf leaves
  /// the remaining dimensions to the scheduler.
  std::vector<std::unique_ptr<ConstraintTreeNode>> children;

  /// The node without its children on one line, such as
  ///   linear X.i = 1, X.const = 0, Y.i - X.i@0 = 0; coincident; vector 4 of X
  ///   sequence X; Y, Z
  /// Iterators get their names from `problem`.
  std::string str(const SchedulingProblem &problem) const;
};

/// Alternatives for the first dimension, in order of preference.
struct ConstraintTree {
  std::vector<std::unique_ptr<ConstraintTreeNode>> roots;

  /// The nodes, one on a line, children two columns to the right.
  std::string str(const SchedulingProblem &problem) const;

  /// Whether the tree makes sense for the problem, as far as that needs no
  /// solving: names, positions and dimensions exist, orders are complete, no
  /// node asks for what its kind cannot have, nor contradicts itself on a
  /// single coefficient.
  llvm::Error check(const SchedulingProblem &problem) const;
};

} // namespace grout

#endif // GROUT_SCHEDULING_CONSTRAINTTREE_H
