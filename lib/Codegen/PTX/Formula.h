//===- Formula.h - Formulas of values ---------------------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_CODEGEN_PTX_FORMULA_H
#define GROUT_LIB_CODEGEN_PTX_FORMULA_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include <limits>

namespace grout {

/// Numbers that many formulas have.
inline constexpr double kInfinity = std::numeric_limits<double>::infinity();
inline constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// A value with arithmetic operators: a float, an integer or a truth value, or
/// a vector of these. Each operator builds the `arith` or `math` op of its
/// name. A number beside a value becomes a constant of the value's type.
class FormulaValue {
public:
  FormulaValue(mlir::ImplicitLocOpBuilder &b, mlir::Value value)
      : b(&b), value(value) {}
  operator mlir::Value() const { return value; }

  /// Returns a constant of this value's type. For integers, `number` must be
  /// whole.
  FormulaValue constant(double number) const;
  /// Return the same float in another precision.
  FormulaValue toF32() const;
  FormulaValue toF64() const;
  /// Return the integer with the same bits, and the float with an integer's
  /// bits.
  FormulaValue toBits() const;
  FormulaValue toFloat() const;
  /// Return the low 32 bits of an i64, and an i32 zero-extended to i64.
  FormulaValue toI32() const;
  FormulaValue toI64() const;
  /// Returns the f64 that equals a signed i32.
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

  /// For integers and truth values. The shift to the right is arithmetic.
  FormulaValue operator&(FormulaValue other) const;
  FormulaValue operator|(FormulaValue other) const;
  FormulaValue operator^(FormulaValue other) const;
  FormulaValue operator<<(int64_t bits) const;
  FormulaValue operator>>(int64_t bits) const;

  /// Return truth values, which are false for NaN.
  FormulaValue operator<(double other) const;
  FormulaValue operator>(double other) const;
  FormulaValue operator>=(double other) const;
  FormulaValue operator==(FormulaValue other) const;
  FormulaValue operator==(double other) const {
    return *this == constant(other);
  }
  FormulaValue operator>(FormulaValue other) const;

  /// Returns `first` where this truth value holds, and `second` elsewhere.
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
  /// Returns the value within these bounds. NaN stays NaN.
  FormulaValue clamp(double low, double high) const;
  /// Returns this * factor + term, rounded once.
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
  /// Returns the polynomial of this value. `coefficients` begins with that of
  /// the largest power.
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

#endif // GROUT_LIB_CODEGEN_PTX_FORMULA_H
