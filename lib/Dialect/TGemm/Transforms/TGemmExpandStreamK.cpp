//===- TGemmExpandStreamK.cpp - Parts of tiles become tiles ---------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Dialect/TGemm/IR/TGemm.h"
#include "grout/Dialect/TGemm/Transforms/Passes.h"
#include "mlir/IR/Builders.h"

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
    getOperation()->walk([](MatmulOp op) {
      std::optional<StreamK> parts = op.getStreamK();
      if (!parts || op.getPartialSums())
        return;
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
