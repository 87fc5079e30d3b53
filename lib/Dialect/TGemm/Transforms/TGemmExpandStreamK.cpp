//===- TGemmExpandStreamK.cpp - Parts of tiles become tiles ---------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Dialect/TGemm/IR/TGemm.h"
#include "grout/Dialect/TGemm/Transforms/Passes.h"
#include "mlir/IR/Builders.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "tgemm-expand-stream-k"

namespace grout::tgemm {
#define GEN_PASS_DEF_TGEMMEXPANDSTREAMK
#include "grout/Dialect/TGemm/Transforms/Passes.h.inc"
} // namespace grout::tgemm

using namespace mlir;
using namespace grout;
using namespace grout::tgemm;

namespace {

struct TGemmExpandStreamK
    : grout::tgemm::impl::TGemmExpandStreamKBase<TGemmExpandStreamK> {
  using Base::Base;

  void runOnOperation() override {
    getOperation()->walk([&](MatmulOp op) {
      std::optional<StreamK> parts = op.getStreamK();
      if (!parts || op.getPartialSums()) {
        LDBG() << op->getLoc() << " stays whole: "
               << (parts ? "it has its partial sums"
                         : "its tiling has no stream-K parts");
        return;
      }
      LDBG() << op->getLoc() << ": tiles in " << parts->columns
             << " columns from " << parts->firstColumn << ", in " << parts->rows
             << " rows, are split into " << parts->parts << " parts of "
             << parts->partSteps << " K steps, the first of "
             << parts->firstStep;
      ++numExpanded;
      OpBuilder builder(op);
      auto type =
          RankedTensorType::get(parts->getShape(), builder.getF32Type());
      auto sums = PartialSumsOp::create(
          builder, op.getLoc(), type, op.getLhs(), op.getRhs(),
          op.getTransposeLhsAttr(), op.getTransposeRhsAttr(), *op.getTiling());
      op.getPartialSumsMutable().assign(sums);
    });
  }
};

} // namespace
