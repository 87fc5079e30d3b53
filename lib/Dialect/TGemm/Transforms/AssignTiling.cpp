//===- AssignTiling.cpp - Chooses or checks the tiles of products ---------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Dialect/TGemm/Transforms/Passes.h"

#include "TilingModel.h"
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
static LogicalResult assignTiling(MatmulOp op, const TargetSpec &target) {
  TilingAttr tiling = op.getTiling().value_or(TilingAttr());
  if (!tiling)
    tiling = chooseTiling(op, target);
  std::string problem = findTilingProblem(op, tiling, target);
  if (!problem.empty())
    return op.emitOpError(problem);
  op.setTilingAttr(tiling);
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
    getOperation()->walk(
        [&](MatmulOp op) { failed |= mlir::failed(assignTiling(op, *spec)); });
    if (failed)
      signalPassFailure();
  }
};

} // namespace
