//===- VerifyAffineMaps.cpp - Divisors of affine maps ---------------------===//
//
// Part of Grout. Upstream's verifiers allow affine maps that divide by 0 or by
// negative numbers. Lowering such a map crashes, or is undefined.
//
//===----------------------------------------------------------------------===//

#include "grout/Transforms/Passes.h"

#include "grout/Analysis/AffineRange.h"

namespace grout {
#define GEN_PASS_DEF_VERIFYAFFINEMAPS
#include "grout/Transforms/Passes.h.inc"
} // namespace grout

using namespace mlir;
using namespace grout;

static LogicalResult verifyMaps(Operation *op) {
  WalkResult result =
      op->getAttrDictionary().walk([&](AffineMapAttr map) -> WalkResult {
        if (llvm::Error error = checkDivisors(map.getValue()))
          return op->emitOpError()
                 << "has a map of which " << llvm::toString(std::move(error));
        return WalkResult::advance();
      });
  return failure(result.wasInterrupted());
}

namespace {

struct VerifyAffineMaps : grout::impl::VerifyAffineMapsBase<VerifyAffineMaps> {
  using Base::Base;

  void runOnOperation() override {
    WalkResult result = getOperation()->walk(
        [](Operation *op) { return WalkResult(verifyMaps(op)); });
    if (result.wasInterrupted())
      return signalPassFailure();
    markAllAnalysesPreserved();
  }
};

} // namespace
