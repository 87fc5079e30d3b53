//===- ConstraintTreePolicy.cpp - Who builds constraint trees -------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Dialect/Scop/ConstraintTrees/ConstraintTreePolicy.h"

#include <map>

using namespace mlir;
using namespace grout;
using namespace grout::scop;

ConstraintTreePolicy::~ConstraintTreePolicy() = default;

namespace {

/// By the sectors of memory that warps move.
class AutoPolicy : public ConstraintTreePolicy {
public:
  StringRef getName() const override { return "auto"; }
  llvm::Expected<std::optional<ConstraintTree>>
  build(KernelOp kernel, const SchedulingProblem &problem,
        const ConstraintTreeOptions &options) const override {
    return buildAutoTree(kernel, problem, options);
  }
};

/// As AKG's greedy optimiser would.
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

/// By name.
using Policies = std::map<std::string, std::unique_ptr<ConstraintTreePolicy>>;

static Policies &getPolicies() {
  static Policies policies = [] {
    Policies own;
    own["auto"] = std::make_unique<AutoPolicy>();
    own["akg"] = std::make_unique<AkgPolicy>();
    return own;
  }();
  return policies;
}

void scop::registerConstraintTreePolicy(
    std::unique_ptr<ConstraintTreePolicy> policy) {
  std::string name = policy->getName().str();
  getPolicies()[name] = std::move(policy);
}

const ConstraintTreePolicy *scop::lookupConstraintTreePolicy(StringRef name) {
  auto it = getPolicies().find(name.str());
  return it == getPolicies().end() ? nullptr : it->second.get();
}

SmallVector<StringRef> scop::getConstraintTreePolicyNames() {
  return llvm::map_to_vector(getPolicies(), [](const auto &policy) {
    return StringRef(policy.first);
  });
}
