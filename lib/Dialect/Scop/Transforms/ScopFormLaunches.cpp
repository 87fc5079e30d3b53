//===- ScopFormLaunches.cpp - One kernel for each launch ------------------===//
//
// Part of Grout. See docs/ConstraintTrees.md.
//
//===----------------------------------------------------------------------===//

#include "DistributeKernel.h"
#include "grout/Dialect/Scop/Analysis/KernelProblem.h"
#include "grout/Dialect/Scop/ConstraintTrees/ConstraintTrees.h"
#include "grout/Dialect/Scop/Transforms/Passes.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace grout::scop {
#define GEN_PASS_DEF_SCOPFORMLAUNCHES
#include "grout/Dialect/Scop/Transforms/Passes.h.inc"
} // namespace grout::scop

using namespace mlir;
using namespace grout;
using namespace grout::scop;

namespace {

struct ScopFormLaunches
    : grout::scop::impl::ScopFormLaunchesBase<ScopFormLaunches> {
  using Base::Base;

  void runOnOperation() override {
    if (processors < 1) {
      getOperation()->emitError() << "a GPU has at least 1 processor";
      return signalPassFailure();
    }
    SmallVector<KernelOp> kernels;
    getOperation()->walk([&](KernelOp kernel) {
      if (kernel.hasTensors() && !kernel.getSchedule() && !kernel.getTree())
        kernels.push_back(kernel);
    });
    for (KernelOp kernel : kernels)
      if (failed(formLaunches(kernel)))
        return signalPassFailure();
  }

  LogicalResult formLaunches(KernelOp kernel) {
    FailureOr<SchedulingProblem> problem = buildSchedulingProblem(kernel);
    if (failed(problem))
      return failure();
    ConstraintTreeOptions options;
    options.processors = processors;
    auto groups = findLaunchGroups(kernel, *problem, options);
    if (failed(groups))
      return failure();
    return groups->size() > 1 ? distributeKernel(kernel, *groups) : success();
  }
};

} // namespace
