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

/// Folds a truncation of a constant to the nearest number of the narrower type.
static void foldTruncation(arith::TruncFOp cast) {
  APFloat value(0.0);
  auto type = dyn_cast<FloatType>(cast.getType());
  // Upstream folds other rounding modes.
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

/// Returns the comparison that replaces one with a number which the operand's
/// type does not have: its predicate, and whether it compares with the nearest
/// number below or above.
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

/// If `compare` compares a widened value with a constant, compares the value
/// before widening instead.
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
  // The neighbour may be an infinity, which the flags may exclude.
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
