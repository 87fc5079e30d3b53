//===- AssignTiling.cpp - Chooses or checks the tiles of products ---------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Dialect/TGemm/Transforms/Passes.h"

#include "TilingChoice.h"
#include "grout/Dialect/TGemm/IR/TGemm.h"
#include "grout/Dialect/TGemm/Transforms/TilingLimits.h"
#include "grout/Target/TargetSpec.h"

namespace grout::tgemm {
#define GEN_PASS_DEF_TGEMMASSIGNTILING
#include "grout/Dialect/TGemm/Transforms/Passes.h.inc"
} // namespace grout::tgemm

using namespace mlir;
using namespace grout;
using namespace grout::tgemm;

/// Makes sure that `op` has a tiling that `target` can compute.
static LogicalResult checkTiling(MatmulOp op, const TargetSpec &target) {
  // If nothing fits, the problem of a small tile says why.
  TilingAttr smallest = TilingAttr::get(op.getContext(), 64, 64, 64, 1);
  std::string problem =
      findTilingProblem(op, op.getTiling().value_or(smallest), target);
  if (!problem.empty())
    return op.emitOpError(problem);
  return success();
}

static void emitUnknownTarget(Operation *op, StringRef name) {
  InFlightDiagnostic diagnostic = op->emitError();
  diagnostic << "unknown target '" << name << "'; known are ";
  llvm::interleaveComma(
      getAllTargets(), diagnostic,
      [&](const TargetSpec &spec) { diagnostic << spec.name; });
}

namespace {

struct TGemmAssignTiling
    : grout::tgemm::impl::TGemmAssignTilingBase<TGemmAssignTiling> {
  using Base::Base;

  void runOnOperation() override {
    std::optional<TargetSpec> spec = lookupTarget(target);
    if (!spec) {
      emitUnknownTarget(getOperation(), target);
      return signalPassFailure();
    }
    bool failed = false;
    SmallVector<MatmulOp> ops;
    getOperation()->walk([&](MatmulOp op) { ops.push_back(op); });
    // Only what can be compiled at all is given a tiling.
    for (MatmulOp op : ops)
      failed |= mlir::failed(checkTiling(op, *spec));
    if (failed)
      return signalPassFailure();
    chooseTilings(ops, *spec, oneKernel);
  }
};

} // namespace
