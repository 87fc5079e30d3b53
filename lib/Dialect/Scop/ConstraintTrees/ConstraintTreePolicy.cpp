//===- ConstraintTreePolicy.cpp - Policies for constraint trees -----------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Dialect/Scop/ConstraintTrees/ConstraintTreePolicy.h"

#include "grout/Support/NamedRegistry.h"

using namespace mlir;
using namespace grout;
using namespace grout::scop;

ConstraintTreePolicy::~ConstraintTreePolicy() = default;

namespace {

/// Chooses by the sectors of memory that warps move.
class AutoPolicy : public ConstraintTreePolicy {
public:
  StringRef getName() const override { return "auto"; }
  llvm::Expected<std::optional<ConstraintTree>>
  build(KernelOp kernel, const SchedulingProblem &problem,
        const ConstraintTreeOptions &options) const override {
    return buildAutoTree(kernel, problem, options);
  }
};

/// Chooses as AKG's greedy optimiser would.
class AkgPolicy : public ConstraintTreePolicy {
public:
  StringRef getName() const override { return "akg"; }
  llvm::Expected<std::optional<ConstraintTree>>
  build(KernelOp kernel, const SchedulingProblem &,
        const ConstraintTreeOptions &) const override {
    return buildAkgTree(kernel);
  }
};

} // namespace

static NamedRegistry<ConstraintTreePolicy> &getPolicies() {
  static NamedRegistry<ConstraintTreePolicy> policies = [] {
    NamedRegistry<ConstraintTreePolicy> own;
    own.add(std::make_unique<AutoPolicy>());
    own.add(std::make_unique<AkgPolicy>());
    return own;
  }();
  return policies;
}

void scop::registerConstraintTreePolicy(
    std::unique_ptr<ConstraintTreePolicy> policy) {
  getPolicies().add(std::move(policy));
}

const ConstraintTreePolicy *scop::lookupConstraintTreePolicy(StringRef name) {
  return getPolicies().lookup(name);
}

LogicalResult scop::checkTree(KernelOp kernel, const SchedulingProblem &problem,
                              const ConstraintTree &tree,
                              const ConstraintTreePolicy &policy) {
  if (llvm::Error error = tree.check(problem))
    return kernel.emitOpError()
           << "cannot be steered by policy '" << policy.getName()
           << "': " << llvm::toString(std::move(error));
  return success();
}

SmallVector<StringRef> scop::getConstraintTreePolicyNames() {
  return getPolicies().getNames();
}
