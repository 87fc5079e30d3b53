//===- ScopDistribute.cpp - One kernel for each part of a sequence --------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "ScheduledGroups.h"
#include "grout/Dialect/Scop/Analysis/KernelProblem.h"
#include "grout/Dialect/Scop/Transforms/Passes.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "scop-distribute"

namespace grout::scop {
#define GEN_PASS_DEF_SCOPDISTRIBUTE
#include "grout/Dialect/Scop/Transforms/Passes.h.inc"
} // namespace grout::scop

using namespace mlir;
using namespace grout;
using namespace grout::scop;

namespace {

struct ScopDistribute : grout::scop::impl::ScopDistributeBase<ScopDistribute> {
  using Base::Base;

  void runOnOperation() override {
    SmallVector<KernelOp> kernels;
    getOperation()->walk([&](KernelOp kernel) {
      if (kernel.hasTensors() && kernel.getSchedule())
        kernels.push_back(kernel);
    });
    for (KernelOp kernel : kernels) {
      std::vector<StatementGroup> groups = getScheduledGroups(kernel);
      LDBG() << kernel.getLoc() << " becomes " << groups.size()
             << " kernels, by the sequence that its schedule begins with";
      numKernels += groups.size();
      // Kernels of a schedule that is not legal would compute something else.
      if (groups.size() > 1 && (failed(verifySchedule(kernel)) ||
                                failed(distributeKernel(kernel, groups))))
        return signalPassFailure();
    }
  }
};

} // namespace
