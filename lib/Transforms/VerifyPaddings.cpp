//===- VerifyPaddings.cpp - Operands of paddings --------------------------===//
//
// Part of Grout. The verifier of tensor.pad does not compare the number of
// operands with the number of dynamic paddings, but its canonicalisation relies
// on it.
//
//===----------------------------------------------------------------------===//

#include "grout/Transforms/Passes.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace grout {
#define GEN_PASS_DEF_VERIFYPADDINGS
#include "grout/Transforms/Passes.h.inc"
} // namespace grout

using namespace mlir;

/// Checks that there are as many `operands` as dynamic `paddings` of `pad`.
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
