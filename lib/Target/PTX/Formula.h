//===- Formula.h - Formulas of values ---------------------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_TARGET_PTX_FORMULA_H
#define GROUT_LIB_TARGET_PTX_FORMULA_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace grout {

/// A value that operators make arithmetic of: a float, an integer or a truth
/// value, or a vector of them. Each operator builds the op of `arith` or `math`
/// that has its name. A number beside a value becomes a constant of its type.
class FormulaValue {
public:
  FormulaValue(mlir::ImplicitLocOpBuilder &b, mlir::Value value)
      : b(&b), value(value) {}
  operator mlir::Value() const { return value; }

  /// A constant of this value's type. Of integers, it must be a whole number.
  FormulaValue constant(double number) const;
  /// The same float in another precision.
  FormulaValue toF32() const;
  FormulaValue toF64() const;
  /// The integer with the same bits, and the float with the bits of an integer.
  FormulaValue toBits() const;
  FormulaValue toFloat() const;
  /// The low 32 bits of an i64, and the i64 of an i32 without a sign.
  FormulaValue toI32() const;
  FormulaValue toI64() const;
  /// The f64 that equals an i32 with a sign.
  FormulaValue toNumber() const;

  FormulaValue operator-() const;
  FormulaValue operator+(FormulaValue other) const;
  FormulaValue operator-(FormulaValue other) const;
  FormulaValue operator*(FormulaValue other) const;
  FormulaValue operator/(FormulaValue other) const;
  FormulaValue operator+(double other) const { return *this + constant(other); }
  FormulaValue operator-(double other) const { return *this - constant(other); }
  FormulaValue operator*(double other) const { return *this * constant(other); }
  FormulaValue operator/(double other) const { return *this / constant(other); }

  /// Of integers and truth values. The shift to the right repeats the sign.
  FormulaValue operator&(FormulaValue other) const;
  FormulaValue operator|(FormulaValue other) const;
  FormulaValue operator^(FormulaValue other) const;
  FormulaValue operator<<(int64_t bits) const;
  FormulaValue operator>>(int64_t bits) const;

  /// Truth values, which are false for NaN.
  FormulaValue operator<(double other) const;
  FormulaValue operator>(double other) const;
  FormulaValue operator>=(double other) const;
  FormulaValue operator==(FormulaValue other) const;
  FormulaValue operator==(double other) const {
    return *this == constant(other);
  }
  FormulaValue operator>(FormulaValue other) const;

  /// `first` where this truth value holds, and `second` elsewhere.
  FormulaValue select(FormulaValue first, FormulaValue second) const;
  FormulaValue select(double first, FormulaValue second) const {
    return select(second.constant(first), second);
  }
  FormulaValue select(FormulaValue first, double second) const {
    return select(first, first.constant(second));
  }

  FormulaValue abs() const;
  FormulaValue sqrt() const;
  FormulaValue trunc() const;
  FormulaValue withSignOf(FormulaValue other) const;
  /// NaN stays NaN.
  FormulaValue clamp(double low, double high) const;
  /// this * factor + term, rounded once.
  FormulaValue fma(FormulaValue factor, FormulaValue term) const;
  FormulaValue fma(double factor, FormulaValue term) const {
    return fma(constant(factor), term);
  }
  FormulaValue fma(FormulaValue factor, double term) const {
    return fma(factor, constant(term));
  }
  FormulaValue fma(double factor, double term) const {
    return fma(constant(factor), constant(term));
  }
  /// The polynomial of this with `coefficients`, that of the largest power
  /// first.
  FormulaValue polynomial(llvm::ArrayRef<double> coefficients) const;

private:
  template <typename Op> FormulaValue make(mlir::ValueRange operands) const {
    return {*b, Op::create(*b, operands).getResult()};
  }
  template <typename Op> FormulaValue cast(mlir::Type element) const;
  FormulaValue compare(mlir::arith::CmpFPredicate how,
                       FormulaValue other) const;

  mlir::ImplicitLocOpBuilder *b;
  mlir::Value value;
};

} // namespace grout

#endif // GROUT_LIB_TARGET_PTX_FORMULA_H
