//===- ConstraintTreePolicy.h - Builds constraint trees ---------*- C++ -*-===//
//
// Part of Grout. The interface through which `scop-schedule=tree=` and
// `scop-build-constraint-tree` use a policy. docs/ConstraintTrees.md describes
// trees.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_DIALECT_SCOP_CONSTRAINTTREES_CONSTRAINTTREEPOLICY_H
#define GROUT_DIALECT_SCOP_CONSTRAINTTREES_CONSTRAINTTREEPOLICY_H

#include "grout/Dialect/Scop/ConstraintTrees/ConstraintTrees.h"
#include <memory>

namespace grout::scop {

/// Builds a constraint tree for each kernel. A policy has no state, because
/// several threads may schedule kernels at the same time.
class ConstraintTreePolicy {
public:
  virtual ~ConstraintTreePolicy();

  /// Returns the name of the policy in options. It must not be `none` or
  /// `from-ir`.
  virtual llvm::StringRef getName() const = 0;

  /// Returns the tree of `kernel`, whose problem is `problem`; none if there is
  /// nothing to steer. A wrong tree does no harm: trees are checked, and
  /// schedules are proved. Fails if the policy cannot decide. The tree must
  /// depend on nothing outside of `kernel` but `isComputed`: it may serve equal
  /// kernels.
  virtual llvm::Expected<std::optional<ConstraintTree>>
  build(KernelOp kernel, const SchedulingProblem &problem,
        const ConstraintTreeOptions &options) const = 0;
};

/// Registers `policy`, and replaces a policy of the same name. Must not be
/// called during a compilation.
void registerConstraintTreePolicy(std::unique_ptr<ConstraintTreePolicy> policy);

/// Returns the policy called `name`; null if there is none.
const ConstraintTreePolicy *lookupConstraintTreePolicy(llvm::StringRef name);

/// Checks `tree`, which `policy` has built for `kernel` with `problem`. Fails
/// with a diagnostic that names the policy and the node.
mlir::LogicalResult checkTree(KernelOp kernel, const SchedulingProblem &problem,
                              const ConstraintTree &tree,
                              const ConstraintTreePolicy &policy);

/// Returns the names of all policies, in alphabetical order.
llvm::SmallVector<llvm::StringRef> getConstraintTreePolicyNames();

} // namespace grout::scop

#endif // GROUT_DIALECT_SCOP_CONSTRAINTTREES_CONSTRAINTTREEPOLICY_H
