//===- ScopExplain.cpp - Says what schedules mean for memory --------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Dialect/Scop/ConstraintTrees/ConstraintTrees.h"
#include "grout/Dialect/Scop/Transforms/Passes.h"

namespace grout::scop {
#define GEN_PASS_DEF_SCOPEXPLAIN
#include "grout/Dialect/Scop/Transforms/Passes.h.inc"
} // namespace grout::scop

using namespace mlir;
using namespace grout;
using namespace grout::scop;

namespace {

struct ScopExplain : grout::scop::impl::ScopExplainBase<ScopExplain> {
  using Base::Base;

  void runOnOperation() override {
    unsigned number = 0;
    WalkResult result = getOperation()->walk([&](KernelOp kernel) {
      if (!kernel.getSchedule()) {
        kernel.emitOpError("has no schedule; run scop-schedule first");
        return WalkResult::interrupt();
      }
      llvm::outs() << "memory-bound kernel " << number++ << "\n";
      explainSchedule(kernel, llvm::outs());
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};

} // namespace
