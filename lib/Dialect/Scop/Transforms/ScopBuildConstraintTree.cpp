//===- ScopBuildConstraintTree.cpp - Steers the scheduler -----------------===//
//
// Part of Grout. See docs/ConstraintTrees.md.
//
//===----------------------------------------------------------------------===//

#include "grout/Dialect/Scop/Analysis/KernelProblem.h"
#include "grout/Dialect/Scop/ConstraintTrees/ConstraintTreePolicy.h"
#include "grout/Dialect/Scop/Transforms/Passes.h"
#include "grout/Target/IR/Grout.h"

namespace grout::scop {
#define GEN_PASS_DEF_SCOPBUILDCONSTRAINTTREE
#include "grout/Dialect/Scop/Transforms/Passes.h.inc"
} // namespace grout::scop

using namespace mlir;
using namespace grout;
using namespace grout::scop;

namespace {

struct ScopBuildConstraintTree
    : grout::scop::impl::ScopBuildConstraintTreeBase<ScopBuildConstraintTree> {
  using Base::Base;

  void runOnOperation() override {
    const ConstraintTreePolicy *builder = lookupConstraintTreePolicy(policy);
    if (!builder) {
      InFlightDiagnostic diag = emitError(getOperation()->getLoc())
                                << "unknown policy '" << policy
                                << "'; policies are ";
      llvm::interleaveComma(getConstraintTreePolicyNames(), diag);
      return signalPassFailure();
    }
    if (maxScenarios < 1) {
      emitError(getOperation()->getLoc()) << "max-scenarios must be at least 1";
      return signalPassFailure();
    }
    FailureOr<const Target *> target = getGPU(getOperation());
    if (failed(target))
      return signalPassFailure();
    WalkResult result = getOperation()->walk([&](KernelOp kernel) {
      return WalkResult(addTree(kernel, *builder, (*target)->getSpec()));
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }

  LogicalResult addTree(KernelOp kernel, const ConstraintTreePolicy &builder,
                        const TargetSpec &spec) {
    if (kernel.getSchedule() || kernel.getTree())
      return success();
    FailureOr<SchedulingProblem> problem = buildSchedulingProblem(kernel);
    if (failed(problem))
      return failure();
    ConstraintTreeOptions options;
    options.target = spec;
    options.maxScenarios = maxScenarios;
    auto tree = builder.build(kernel, *problem, options);
    if (!tree)
      return kernel.emitOpError()
             << "cannot be analysed: " << llvm::toString(tree.takeError());
    if (!*tree)
      return success();
    if (failed(checkTree(kernel, *problem, **tree, builder)))
      return failure();
    createTree(kernel, **tree);
    return success();
  }
};

} // namespace
