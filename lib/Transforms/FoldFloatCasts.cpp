//===- FoldFloatCasts.cpp - Rounds constants ------------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

namespace grout {
#define GEN_PASS_DEF_FOLDFLOATCASTS
#include "grout/Transforms/Passes.h.inc"
} // namespace grout

using namespace mlir;

namespace {

struct FoldFloatCasts : grout::impl::FoldFloatCastsBase<FoldFloatCasts> {
  using Base::Base;

  void runOnOperation() override {
    getOperation()->walk([](arith::TruncFOp cast) { fold(cast); });
  }

  static void fold(arith::TruncFOp cast) {
    APFloat value(0.0);
    auto type = dyn_cast<FloatType>(cast.getType());
    // Of other rounding modes upstream knows what the result is.
    if (!type || cast.getRoundingmode() ||
        !matchPattern(cast.getIn(), m_ConstantFloat(&value)))
      return;
    bool losesInfo = false;
    value.convert(type.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                  &losesInfo);
    OpBuilder builder(cast);
    cast.replaceAllUsesWith(
        arith::ConstantFloatOp::create(builder, cast.getLoc(), type, value)
            .getResult());
    cast.erase();
  }
};

} // namespace
