//===- ScopFormLaunches.cpp - One kernel for each launch ------------------===//
//
// Part of Grout. See docs/ConstraintTrees.md.
//
//===----------------------------------------------------------------------===//

#include "DistributeKernel.h"
#include "grout/Dialect/Scop/Analysis/KernelProblem.h"
#include "grout/Dialect/Scop/ConstraintTrees/ConstraintTrees.h"
#include "grout/Dialect/Scop/Transforms/Passes.h"
#include "grout/Target/IR/Grout.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/DebugLog.h"
#include "llvm/Support/InterleavedRange.h"

#define DEBUG_TYPE "scop-form-launches"

namespace grout::scop {
#define GEN_PASS_DEF_SCOPFORMLAUNCHES
#include "grout/Dialect/Scop/Transforms/Passes.h.inc"
} // namespace grout::scop

using namespace mlir;
using namespace grout;
using namespace grout::scop;

/// Reports the statements of each launch that `kernel` becomes.
static void reportGroups(KernelOp kernel, ArrayRef<StatementGroup> groups) {
  LDBG() << kernel.getLoc() << " becomes " << groups.size() << " kernels";
  for (const StatementGroup &group : groups)
    LDBG() << "  one of "
           << llvm::interleaved(llvm::map_range(
                  group, [](StmtOp op) { return op.getSymName(); }));
}

namespace {

struct ScopFormLaunches
    : grout::scop::impl::ScopFormLaunchesBase<ScopFormLaunches> {
  using Base::Base;

  void runOnOperation() override {
    FailureOr<const Target *> target = getTarget(getOperation());
    if (failed(target))
      return signalPassFailure();
    SmallVector<KernelOp> kernels;
    getOperation()->walk([&](KernelOp kernel) {
      if (kernel.hasTensors() && !kernel.getSchedule() && !kernel.getTree())
        kernels.push_back(kernel);
    });
    for (KernelOp kernel : kernels)
      if (failed(formLaunches(kernel, (*target)->getSpec())))
        return signalPassFailure();
  }

  LogicalResult formLaunches(KernelOp kernel, const TargetSpec &spec) {
    std::string reason;
    FailureOr<std::optional<SchedulingProblem>> problem =
        tryBuildSchedulingProblem(kernel, maxOperations, reason);
    if (failed(problem))
      return failure();
    auto keepWhole = [&] {
      LDBG() << kernel.getLoc() << " stays one kernel: " << reason;
      kernel.emitRemark() << "stays one kernel: " << reason;
      return success();
    };
    if (!*problem)
      return keepWhole();
    ConstraintTreeOptions options;
    options.target = spec;
    auto groups = findLaunchGroups(kernel, **problem, options);
    if (!groups) {
      reason = llvm::toString(groups.takeError());
      return keepWhole();
    }
    reportGroups(kernel, *groups);
    numKernels += groups->size();
    return groups->size() > 1 ? LogicalResult(distributeKernel(kernel, *groups))
                              : success();
  }
};

} // namespace
