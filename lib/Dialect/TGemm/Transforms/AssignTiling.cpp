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

/// Where the mode that was chosen is left for tsync-form-chains.
static constexpr StringLiteral kModeAttrName = "tsync.mode";

/// Makes sure that `target` can compute `op` in tiles of `tiling`.
static LogicalResult checkTiling(MatmulOp op, TilingAttr tiling,
                                 const TargetSpec &target) {
  std::string problem = findTilingProblem(op, tiling, target);
  if (!problem.empty())
    return op.emitOpError(problem);
  return success();
}

/// Emits why no tiling fits `op`: the problem of a small one says it.
static LogicalResult refuse(MatmulOp op, const TargetSpec &target) {
  auto small = TilingAttr::get(op.getContext(), 64, 64, 64, /*stages=*/1);
  if (failed(checkTiling(op, small, target)))
    return failure();
  return op.emitOpError() << "has no tiling that fits " << target.name;
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
    if (!llvm::is_contained({"serial", "pdl", "overlap", "persistent", "auto"},
                            mode)) {
      getOperation()->emitError()
          << "unknown mode '" << mode
          << "'; modes are serial, pdl, overlap, persistent and auto";
      return signalPassFailure();
    }
    bool failed = false;
    // Products of one function run together.
    llvm::MapVector<Operation *, SmallVector<MatmulOp>> groups;
    getOperation()->walk([&](MatmulOp op) {
      if (std::optional<TilingAttr> given = op.getTiling())
        failed |= mlir::failed(checkTiling(op, *given, *spec));
      groups[op->getParentWithTrait<OpTrait::IsIsolatedFromAbove>()].push_back(
          op);
    });
    if (failed)
      return signalPassFailure();
    for (auto &[parent, ops] : groups) {
      assignTilings(parent, ops, *spec);
      for (MatmulOp op : ops)
        if (!op.getTiling())
          failed |= mlir::failed(refuse(op, *spec));
    }
    if (failed)
      signalPassFailure();
  }

private:
  void setMode(Operation *parent, StringRef chosen) {
    parent->setAttr(kModeAttrName, StringAttr::get(&getContext(), chosen));
  }

  void assignTilings(Operation *parent, ArrayRef<MatmulOp> ops,
                     const TargetSpec &spec) {
    if (mode != "auto")
      return chooseTilings(ops, spec, /*oneKernel=*/mode == "persistent");
    SmallVector<MatmulOp> free = llvm::filter_to_vector(
        ops, [](MatmulOp op) { return !op.getTiling(); });
    chooseTilings(ops, spec, /*oneKernel=*/false);
    bool isPdl = spec.isGPU && llvm::all_of(ops, [&](MatmulOp op) {
                   return op.getTiling() && isOneWave(op, spec);
                 });
    setMode(parent, isPdl ? "pdl" : "persistent");
    if (isPdl)
      return;
    for (MatmulOp op : free)
      op.removeTilingAttr();
    chooseTilings(ops, spec, /*oneKernel=*/true);
  }
};

} // namespace
