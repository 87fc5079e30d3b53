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

static StringRef stringify(grout::DependenceKind kind) {
  switch (kind) {
  case grout::DependenceKind::Flow:
    return "flow";
  case grout::DependenceKind::Anti:
    return "anti";
  case grout::DependenceKind::Output:
    return "output";
  }
  llvm_unreachable("unknown kind of dependence");
}

/// Returns the statements and dependences in isl's notation, one on a line.
static std::string describe(const grout::SchedulingProblem &problem) {
  std::string text;
  llvm::raw_string_ostream os(text);
  for (const grout::ScopStatement &statement : problem.getStatements())
    os << "statement " << statement.domain.str() << '\n';
  for (const grout::ScopDependence &dependence : problem.getDependences())
    os << stringify(dependence.kind)
       << (dependence.reduction ? " reduction " : " ") << dependence.name << ' '
       << dependence.relation.str() << '\n';
  return text;
}

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
      printReport(kernel, describe(*problem));
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      return signalPassFailure();
    markAllAnalysesPreserved();
  }
};

} // namespace
