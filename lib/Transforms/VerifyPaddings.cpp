//===- VerifyPaddings.cpp - Paddings that are there -----------------------===//
//
// Part of Grout. The verifier of tensor.pad does not compare the number of its
// operands with that of the paddings which are said to be operands; its
// canonicalization takes as many.
//
//===----------------------------------------------------------------------===//

#include "grout/Transforms/Passes.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace grout {
#define GEN_PASS_DEF_VERIFYPADDINGS
#include "grout/Transforms/Passes.h.inc"
} // namespace grout

using namespace mlir;

/// Checks that `operands` are those for which `paddings` of `pad` stand.
static LogicalResult verifyOperands(tensor::PadOp pad, StringRef side,
                                    ArrayRef<int64_t> paddings,
                                    OperandRange operands) {
  size_t numDynamic = llvm::count_if(paddings, ShapedType::isDynamic);
  if (numDynamic == operands.size())
    return success();
  return pad.emitOpError() << "has " << operands.size() << " operands for "
                           << numDynamic << " dynamic paddings " << side;
}

namespace {

struct VerifyPaddings : grout::impl::VerifyPaddingsBase<VerifyPaddings> {
  using Base::Base;

  void runOnOperation() override {
    WalkResult result = getOperation()->walk([](tensor::PadOp pad) {
      return WalkResult(
          failure(failed(verifyOperands(pad, "below", pad.getStaticLow(),
                                        pad.getLow())) ||
                  failed(verifyOperands(pad, "above", pad.getStaticHigh(),
                                        pad.getHigh()))));
    });
    if (result.wasInterrupted())
      return signalPassFailure();
    markAllAnalysesPreserved();
  }
};

} // namespace
