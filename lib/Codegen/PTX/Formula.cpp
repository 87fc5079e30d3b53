//===- Formula.cpp - Formulas of values -----------------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "Formula.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace grout;

using Predicate = arith::CmpFPredicate;

/// Returns `element`, or a vector of it if `shape` is a vector type.
static Type withElements(Type shape, Type element) {
  if (auto vector = dyn_cast<VectorType>(shape))
    return vector.clone(element);
  return element;
}

FormulaValue FormulaValue::constant(double number) const {
  Type type = value.getType();
  Type element = getElementTypeOrSelf(type);
  TypedAttr attribute =
      isa<FloatType>(element)
          ? TypedAttr(b->getFloatAttr(element, number))
          : b->getIntegerAttr(element, static_cast<int64_t>(number));
  if (auto vector = dyn_cast<VectorType>(type))
    attribute = DenseElementsAttr::get(vector, Attribute(attribute));
  return {*b, arith::ConstantOp::create(*b, attribute)};
}

template <typename Op> FormulaValue FormulaValue::cast(Type element) const {
  return {*b, Op::create(*b, withElements(value.getType(), element), value)};
}

FormulaValue FormulaValue::toF32() const {
  return cast<arith::TruncFOp>(b->getF32Type());
}

FormulaValue FormulaValue::toF64() const {
  return cast<arith::ExtFOp>(b->getF64Type());
}

FormulaValue FormulaValue::toBits() const {
  unsigned width = getElementTypeOrSelf(value).getIntOrFloatBitWidth();
  return cast<arith::BitcastOp>(b->getIntegerType(width));
}

FormulaValue FormulaValue::toFloat() const {
  bool isWide = getElementTypeOrSelf(value).isInteger(64);
  return cast<arith::BitcastOp>(isWide ? Type(b->getF64Type())
                                       : Type(b->getF32Type()));
}

FormulaValue FormulaValue::toI32() const {
  return cast<arith::TruncIOp>(b->getI32Type());
}

FormulaValue FormulaValue::toI64() const {
  return cast<arith::ExtUIOp>(b->getI64Type());
}

FormulaValue FormulaValue::toNumber() const {
  return cast<arith::SIToFPOp>(b->getF64Type());
}

static bool isInteger(Value value) {
  return isa<IntegerType>(getElementTypeOrSelf(value));
}

FormulaValue FormulaValue::operator-() const {
  return make<arith::NegFOp>(value);
}

FormulaValue FormulaValue::operator+(FormulaValue other) const {
  if (isInteger(value))
    return make<arith::AddIOp>({value, other});
  return make<arith::AddFOp>({value, other});
}

FormulaValue FormulaValue::operator-(FormulaValue other) const {
  if (isInteger(value))
    return make<arith::SubIOp>({value, other});
  return make<arith::SubFOp>({value, other});
}

FormulaValue FormulaValue::operator*(FormulaValue other) const {
  return make<arith::MulFOp>({value, other});
}

FormulaValue FormulaValue::operator/(FormulaValue other) const {
  if (isInteger(value))
    return make<arith::DivUIOp>({value, other});
  return make<arith::DivFOp>({value, other});
}

FormulaValue FormulaValue::operator&(FormulaValue other) const {
  return make<arith::AndIOp>({value, other});
}

FormulaValue FormulaValue::operator|(FormulaValue other) const {
  return make<arith::OrIOp>({value, other});
}

FormulaValue FormulaValue::operator^(FormulaValue other) const {
  return make<arith::XOrIOp>({value, other});
}

FormulaValue FormulaValue::operator<<(int64_t bits) const {
  return make<arith::ShLIOp>({value, constant(bits)});
}

FormulaValue FormulaValue::operator>>(int64_t bits) const {
  return make<arith::ShRSIOp>({value, constant(bits)});
}

FormulaValue FormulaValue::compare(Predicate how, FormulaValue other) const {
  return {*b, arith::CmpFOp::create(*b, how, value, other)};
}

FormulaValue FormulaValue::operator<(double other) const {
  return compare(Predicate::OLT, constant(other));
}

FormulaValue FormulaValue::operator>(double other) const {
  return compare(Predicate::OGT, constant(other));
}

FormulaValue FormulaValue::operator>=(double other) const {
  return compare(Predicate::OGE, constant(other));
}

FormulaValue FormulaValue::operator>(FormulaValue other) const {
  return compare(Predicate::OGT, other);
}

FormulaValue FormulaValue::operator==(FormulaValue other) const {
  if (isInteger(value))
    return {*b,
            arith::CmpIOp::create(*b, arith::CmpIPredicate::eq, value, other)};
  return compare(Predicate::OEQ, other);
}

FormulaValue FormulaValue::select(FormulaValue first,
                                  FormulaValue second) const {
  return {*b, arith::SelectOp::create(*b, value, first, second)};
}

FormulaValue FormulaValue::abs() const { return make<math::AbsFOp>(value); }

FormulaValue FormulaValue::sqrt() const { return make<math::SqrtOp>(value); }

FormulaValue FormulaValue::trunc() const { return make<math::TruncOp>(value); }

FormulaValue FormulaValue::withSignOf(FormulaValue other) const {
  return make<math::CopySignOp>({value, other});
}

FormulaValue FormulaValue::clamp(double low, double high) const {
  FormulaValue bounded = (*this > high).select(high, *this);
  return (bounded < low).select(low, bounded);
}

FormulaValue FormulaValue::fma(FormulaValue factor, FormulaValue term) const {
  return make<math::FmaOp>({value, factor, term});
}

FormulaValue FormulaValue::polynomial(ArrayRef<double> coefficients) const {
  FormulaValue sum = constant(coefficients.front());
  for (double coefficient : coefficients.drop_front())
    sum = sum.fma(*this, coefficient);
  return sum;
}
