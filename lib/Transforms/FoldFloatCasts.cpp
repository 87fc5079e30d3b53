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

/// Replaces a constant that is made narrower by its nearest number there.
static void foldTruncation(arith::TruncFOp cast) {
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

/// What a comparison with a number becomes for numbers of a type that has not
/// that one, but the nearest ones below and above: with which it compares.
static std::pair<arith::CmpFPredicate, APFloat::roundingMode>
getComparisonWithNeighbour(arith::CmpFPredicate predicate) {
  using Predicate = arith::CmpFPredicate;
  constexpr auto below = APFloat::rmTowardNegative;
  constexpr auto above = APFloat::rmTowardPositive;
  switch (predicate) {
  case Predicate::OLT:
  case Predicate::OLE:
    return {Predicate::OLE, below};
  case Predicate::ULT:
  case Predicate::ULE:
    return {Predicate::ULE, below};
  case Predicate::OGT:
  case Predicate::OGE:
    return {Predicate::OGE, above};
  case Predicate::UGT:
  case Predicate::UGE:
    return {Predicate::UGE, above};
  case Predicate::OEQ:
    return {Predicate::AlwaysFalse, below};
  case Predicate::UNE:
    return {Predicate::AlwaysTrue, below};
  case Predicate::UEQ:
    return {Predicate::UNO, below};
  case Predicate::ONE:
    return {Predicate::ORD, below};
  case Predicate::ORD:
  case Predicate::UNO:
  case Predicate::AlwaysFalse:
  case Predicate::AlwaysTrue:
    break;
  }
  return {predicate, below};
}

/// Compares what has been widened to be compared with a constant as it was.
static void foldComparison(arith::CmpFOp compare) {
  APFloat value(0.0);
  auto widened = compare.getLhs().getDefiningOp<arith::ExtFOp>();
  if (!widened || !matchPattern(compare.getRhs(), m_ConstantFloat(&value)) ||
      value.isNaN())
    return;
  auto type = dyn_cast<FloatType>(widened.getIn().getType());
  if (!type)
    return;
  arith::CmpFPredicate predicate = compare.getPredicate();
  const llvm::fltSemantics &semantics = type.getFloatSemantics();
  APFloat narrow = value;
  bool losesInfo = false;
  narrow.convert(semantics, APFloat::rmNearestTiesToEven, &losesInfo);
  if (losesInfo) {
    auto [neighbours, towards] = getComparisonWithNeighbour(predicate);
    predicate = neighbours;
    narrow = value;
    narrow.convert(semantics, towards, &losesInfo);
  }
  OpBuilder builder(compare);
  Value constant =
      arith::ConstantFloatOp::create(builder, compare.getLoc(), type, narrow);
  // The neighbour may be an infinity, of which the flags may say there is none.
  auto flags = losesInfo ? arith::FastMathFlags::none : compare.getFastmath();
  auto folded = arith::CmpFOp::create(builder, compare.getLoc(), predicate,
                                      widened.getIn(), constant, flags);
  compare.replaceAllUsesWith(folded.getResult());
  compare.erase();
}

namespace {

struct FoldFloatCasts : grout::impl::FoldFloatCastsBase<FoldFloatCasts> {
  using Base::Base;

  void runOnOperation() override {
    getOperation()->walk([](arith::TruncFOp cast) { foldTruncation(cast); });
    getOperation()->walk(
        [](arith::CmpFOp compare) { foldComparison(compare); });
  }
};

} // namespace
