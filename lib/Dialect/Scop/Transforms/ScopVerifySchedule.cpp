//===- ScopVerifySchedule.cpp - Proves schedules --------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Dialect/Scop/Analysis/KernelProblem.h"
#include "grout/Dialect/Scop/Transforms/Passes.h"

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
    WalkResult result = getOperation()->walk(
        [](KernelOp kernel) { return WalkResult(verifySchedule(kernel)); });
    if (result.wasInterrupted())
      return signalPassFailure();
    markAllAnalysesPreserved();
  }
};

} // namespace
