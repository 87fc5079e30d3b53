//===- ConstraintTreePolicy.h - Who builds constraint trees -----*- C++ -*-===//
//
// Part of Grout. What `scop-schedule=tree=` and `scop-build-constraint-tree`
// ask; docs/ConstraintTrees.md says what trees are.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_DIALECT_SCOP_CONSTRAINTTREES_CONSTRAINTTREEPOLICY_H
#define GROUT_DIALECT_SCOP_CONSTRAINTTREES_CONSTRAINTTREEPOLICY_H

#include "grout/Dialect/Scop/ConstraintTrees/ConstraintTrees.h"
#include <memory>

namespace grout::scop {

/// Builds a constraint tree for each kernel. It has no state: kernels may be
/// scheduled at the same time.
class ConstraintTreePolicy {
public:
  virtual ~ConstraintTreePolicy();

  /// What options name it. Not `none` or `from-ir`.
  virtual llvm::StringRef getName() const = 0;

  /// The tree of `kernel`, whose problem is `problem`; none if nothing is to be
  /// steered. Whatever it says, trees are checked, and schedules are proved.
  /// Fails if it cannot tell.
  virtual llvm::Expected<std::optional<ConstraintTree>>
  build(KernelOp kernel, const SchedulingProblem &problem,
        const ConstraintTreeOptions &options) const = 0;
};

/// Makes `policy` known, instead of one with its name. Not while anything is
/// compiled.
void registerConstraintTreePolicy(std::unique_ptr<ConstraintTreePolicy> policy);

/// The policy called `name`; null if there is none.
const ConstraintTreePolicy *lookupConstraintTreePolicy(llvm::StringRef name);

/// Checks `tree`, which `policy` has built for `kernel` with `problem`. Fails
/// with a diagnostic that names the policy and the node.
mlir::LogicalResult checkTree(KernelOp kernel, const SchedulingProblem &problem,
                              const ConstraintTree &tree,
                              const ConstraintTreePolicy &policy);

/// The names of all policies, in alphabetical order.
llvm::SmallVector<llvm::StringRef> getConstraintTreePolicyNames();

} // namespace grout::scop

#endif // GROUT_DIALECT_SCOP_CONSTRAINTTREES_CONSTRAINTTREEPOLICY_H
