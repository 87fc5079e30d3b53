//===- ScopVerifyAccesses.cpp - Checks accesses of kernels ----------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Dialect/Scop/Analysis/KernelProblem.h"
#include "grout/Dialect/Scop/Transforms/Passes.h"

namespace grout::scop {
#define GEN_PASS_DEF_SCOPVERIFYACCESSES
#include "grout/Dialect/Scop/Transforms/Passes.h.inc"
} // namespace grout::scop

using namespace mlir;
using namespace grout::scop;

namespace {

struct ScopVerifyAccesses
    : grout::scop::impl::ScopVerifyAccessesBase<ScopVerifyAccesses> {
  using Base::Base;

  void runOnOperation() override {
    WalkResult result = getOperation()->walk(
        [](KernelOp kernel) { return WalkResult(verifyAccesses(kernel)); });
    if (result.wasInterrupted())
      return signalPassFailure();
    markAllAnalysesPreserved();
  }
};

} // namespace
