//===- ScopExplain.cpp - Prints how schedules use memory ------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "Report.h"
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
    WalkResult result = getOperation()->walk([&](KernelOp kernel) {
      if (kernel.getSchedule())
        return WalkResult::advance();
      kernel.emitOpError("has no schedule; run scop-schedule first");
      return WalkResult::interrupt();
    });
    if (result.wasInterrupted())
      return signalPassFailure();
    std::string text;
    llvm::raw_string_ostream os(text);
    explainKernels(getOperation(), os);
    printReport(text);
  }
};

} // namespace
