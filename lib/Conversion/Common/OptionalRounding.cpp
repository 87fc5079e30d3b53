//===- OptionalRounding.cpp - Roundings that may be left out --------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Conversion/Common/OptionalRounding.h"

#include "grout/Conversion/Common/Accumulation.h"

using namespace mlir;
using namespace grout;

bool grout::isOptionalRounding(Operation *op) {
  auto cast = dyn_cast_or_null<arith::TruncFOp>(op);
  return cast && isNarrowFloat(cast.getType()) &&
         bitEnumContainsAll(
             cast.getFastmath().value_or(arith::FastMathFlags::none),
             arith::FastMathFlags::contract);
}

void grout::setOptional(arith::ArithFastMathInterface cast) {
  cast->setAttr(cast.getFastMathAttrName(),
                arith::FastMathFlagsAttr::get(cast.getContext(),
                                              arith::FastMathFlags::contract));
}
