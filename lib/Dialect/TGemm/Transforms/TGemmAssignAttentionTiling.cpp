//===- TGemmAssignAttentionTiling.cpp - Tiles of attention ----------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Dialect/TGemm/IR/TGemm.h"
#include "grout/Dialect/TGemm/Transforms/AttentionModel.h"
#include "grout/Dialect/TGemm/Transforms/Passes.h"
#include "grout/Dialect/TSync/IR/TSync.h"
#include "grout/Target/IR/Grout.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "tgemm-assign-attention-tiling"

namespace grout::tgemm {
#define GEN_PASS_DEF_TGEMMASSIGNATTENTIONTILING
#include "grout/Dialect/TGemm/Transforms/Passes.h.inc"
} // namespace grout::tgemm

using namespace mlir;
using namespace grout;
using namespace grout::tgemm;

namespace {

struct TGemmAssignAttentionTiling
    : grout::tgemm::impl::TGemmAssignAttentionTilingBase<
          TGemmAssignAttentionTiling> {
  using Base::Base;

  void runOnOperation() override {
    FailureOr<const Target *> target = getTarget(getOperation());
    if (failed(target))
      return signalPassFailure();
    bool failed = false, found = false;
    getOperation().walk([&](AttentionOp op) {
      failed |= mlir::failed(assign(op, **target));
      found = true;
    });
    if (failed)
      return signalPassFailure();
    if (found)
      chooseExecution(**target);
  }

private:
  LogicalResult assign(AttentionOp op, const Target &target) {
    const auto *model = target.getInterface<AttentionModel>();
    if (!model)
      return op.emitOpError() << "is attention, but " << target.getName()
                              << " has no kernels for that";
    if (std::string problem = model->findProblem(op); !problem.empty())
      return op.emitOpError() << "cannot be compiled for " << target.getName()
                              << ": " << problem;
    bool isGiven = op.getTiling().has_value();
    if (!isGiven)
      op.setTilingAttr(model->chooseTiling(op));
    LDBG() << op.getLoc() << " has " << op.getTilingAttr() << ", from "
           << (isGiven ? "the IR" : "the target");
    if (model->hasOwnLaunch())
      op->setAttr(tsync::TSyncDialect::kOwnLaunchAttrName,
                  UnitAttr::get(&getContext()));
    if (std::string problem = model->findTilingProblem(op, *op.getTiling());
        !problem.empty())
      return op.emitOpError() << "cannot be compiled for " << target.getName()
                              << ": " << problem;
    return success();
  }

  /// Chooses a mode with one launch per kernel if `target` runs attention in a
  /// launch of its own, and the mode is not known yet. This is so in a function
  /// without products: with products, their tilings and the mode are chosen
  /// together.
  void chooseExecution(const Target &target) {
    StringRef name = tsync::ExecutionAttr::getAttrName();
    if (!target.getInterface<AttentionModel>()->hasOwnLaunch() ||
        tsync::getMode(mode) || getOperation()->hasAttr(name))
      return;
    tsync::Mode chosen = target.getSpec().hasProgrammaticLaunch
                             ? tsync::Mode::pdl
                             : tsync::Mode::serial;
    getOperation()->setAttr(name,
                            tsync::ExecutionAttr::get(&getContext(), chosen,
                                                      /*selectsEdges=*/false));
  }
};

} // namespace
