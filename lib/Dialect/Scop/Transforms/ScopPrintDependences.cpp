//===- ScopPrintDependences.cpp - Prints scheduling problems --------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "Report.h"
#include "grout/Dialect/Scop/Analysis/KernelProblem.h"
#include "grout/Dialect/Scop/Transforms/Passes.h"

namespace grout::scop {
#define GEN_PASS_DEF_SCOPPRINTDEPENDENCES
#include "grout/Dialect/Scop/Transforms/Passes.h.inc"
} // namespace grout::scop

using namespace mlir;
using namespace grout::scop;

namespace {

struct ScopPrintDependences
    : grout::scop::impl::ScopPrintDependencesBase<ScopPrintDependences> {
  using Base::Base;

  void runOnOperation() override {
    WalkResult result = getOperation()->walk([](KernelOp kernel) {
      FailureOr<grout::SchedulingProblem> problem =
          buildSchedulingProblem(kernel);
      if (failed(problem))
        return WalkResult::interrupt();
      printReport(kernel, problem->str());
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      return signalPassFailure();
    markAllAnalysesPreserved();
  }
};

} // namespace
