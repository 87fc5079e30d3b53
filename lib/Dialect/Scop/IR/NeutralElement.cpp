//===- NeutralElement.cpp - Neutral elements of reductions ----------------===//
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
  Type type = combiner->getResult(0).getType();
  auto infinity = [&](bool isNegative) {
    return FloatAttr::get(
        type,
        APFloat::getInf(cast<FloatType>(type).getFloatSemantics(), isNegative));
  };
  return llvm::TypeSwitch<Operation *, TypedAttr>(combiner)
      // -0 + x is x for all x. With upstream's 0, 0 + -0 is 0.
      .Case<arith::AddFOp>([&](auto) { return FloatAttr::get(type, -0.0); })
      // Upstream's NaN is neutral, too. But the result of a reduction over no
      // elements is to be infinite, as with maximumf.
      .Case<arith::MaxNumFOp>([&](auto) { return infinity(true); })
      .Case<arith::MinNumFOp>([&](auto) { return infinity(false); })
      .Default([](Operation *op) {
        return arith::getNeutralElement(op).value_or(TypedAttr());
      });
}
