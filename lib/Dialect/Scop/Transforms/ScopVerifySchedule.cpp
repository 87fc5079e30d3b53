//===- ScopVerifySchedule.cpp - Proves schedules --------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "EqualKernels.h"
#include "grout/Dialect/Scop/Analysis/KernelProblem.h"
#include "grout/Dialect/Scop/Transforms/Passes.h"
#include "mlir/IR/Threading.h"

namespace grout::scop {
#define GEN_PASS_DEF_SCOPVERIFYSCHEDULE
#include "grout/Dialect/Scop/Transforms/Passes.h.inc"
} // namespace grout::scop

using namespace mlir;
using namespace grout::scop;

namespace {

struct ScopVerifySchedule
    : grout::scop::impl::ScopVerifyScheduleBase<ScopVerifySchedule> {
  using Base::Base;

  void runOnOperation() override {
    SmallVector<KernelOp> kernels, distinct;
    getOperation()->walk([&](KernelOp kernel) { kernels.push_back(kernel); });
    for (auto [index, first] : llvm::enumerate(findFirstEqual(kernels)))
      if (index == first)
        distinct.push_back(kernels[index]);
    if (failed(
            failableParallelForEach(&getContext(), distinct, verifySchedule)))
      return signalPassFailure();
    markAllAnalysesPreserved();
  }
};

} // namespace
