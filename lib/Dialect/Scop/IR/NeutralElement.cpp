//===- NeutralElement.cpp - What reductions start from --------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Dialect/Scop/IR/Scop.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace grout;

TypedAttr scop::getNeutralElement(Operation *combiner) {
  Builder b(combiner->getContext());
  Type type = combiner->getResult(0).getType();
  auto ofFloat = [&](double value) -> TypedAttr {
    return b.getFloatAttr(type, value);
  };
  auto infinity = [&](bool isNegative) -> TypedAttr {
    return FloatAttr::get(
        type,
        APFloat::getInf(cast<FloatType>(type).getFloatSemantics(), isNegative));
  };
  unsigned width = type.getIntOrFloatBitWidth();
  auto ofInteger = [&](const APInt &value) -> TypedAttr {
    return b.getIntegerAttr(type, value);
  };
  return llvm::TypeSwitch<Operation *, TypedAttr>(combiner)
      // -0 + x is x for all x, -0 included.
      .Case<arith::AddFOp>([&](auto) { return ofFloat(-0.0); })
      .Case<arith::MulFOp>([&](auto) { return ofFloat(1.0); })
      .Case<arith::MaximumFOp, arith::MaxNumFOp>(
          [&](auto) { return infinity(/*isNegative=*/true); })
      .Case<arith::MinimumFOp, arith::MinNumFOp>(
          [&](auto) { return infinity(/*isNegative=*/false); })
      .Case<arith::AddIOp, arith::OrIOp, arith::XOrIOp, arith::MaxUIOp>(
          [&](auto) { return ofInteger(APInt::getZero(width)); })
      .Case<arith::MulIOp>([&](auto) { return ofInteger(APInt(width, 1)); })
      .Case<arith::AndIOp, arith::MinUIOp>(
          [&](auto) { return ofInteger(APInt::getAllOnes(width)); })
      .Case<arith::MaxSIOp>(
          [&](auto) { return ofInteger(APInt::getSignedMinValue(width)); })
      .Case<arith::MinSIOp>(
          [&](auto) { return ofInteger(APInt::getSignedMaxValue(width)); })
      .Default([](Operation *) { return TypedAttr(); });
}
