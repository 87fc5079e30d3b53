//===- ExpandScalarMath.cpp - Functions by way of others ------------------===//
//
// Part of Grout. MLIR lowers these functions to loops, which bodies of linalg
// ops cannot contain, or to calls of the compiler's runtime, or not at all.
//
//===----------------------------------------------------------------------===//

#include "grout/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"

namespace grout {
#define GEN_PASS_DEF_EXPANDSCALARMATH
#include "grout/Transforms/Passes.h.inc"
} // namespace grout

using namespace mlir;

static Value emitInteger(ImplicitLocOpBuilder &b, Type type,
                         const APInt &bits) {
  return arith::ConstantOp::create(b, b.getIntegerAttr(type, bits));
}

static Value emitFloat(ImplicitLocOpBuilder &b, Type type,
                       const APFloat &value) {
  return arith::ConstantOp::create(b, b.getFloatAttr(type, value));
}

static const llvm::fltSemantics &getSemantics(Value value) {
  return cast<FloatType>(value.getType()).getFloatSemantics();
}

static Value emitCompare(ImplicitLocOpBuilder &b, arith::CmpIPredicate how,
                         Value left, Value right) {
  return arith::CmpIOp::create(b, how, left, right);
}

//===----------------------------------------------------------------------===//
// Powers of integers
//===----------------------------------------------------------------------===//

namespace {
/// Emits integer powers of one type.
struct IntegerPower {
  IntegerPower(ImplicitLocOpBuilder &b, math::IPowIOp op)
      : b(b), base(op.getLhs()), exponent(op.getRhs()), type(op.getType()),
        width(type.isIndex() ? IndexType::kInternalStorageBitWidth
                             : type.getIntOrFloatBitWidth()),
        zero(emitInteger(b, type, APInt::getZero(width))),
        one(emitInteger(b, type, APInt(width, 1))),
        allOnes(emitInteger(b, type, APInt::getAllOnes(width))) {}

  Value emit();

private:
  /// Emits whether `value` has bit `bit`.
  Value emitBit(Value value, unsigned bit) {
    Value mask = emitInteger(b, type, APInt::getOneBitSet(width, bit));
    return emitCompare(b, arith::CmpIPredicate::ne,
                       arith::AndIOp::create(b, value, mask), zero);
  }
  Value emitEqual(Value left, Value right) {
    return emitCompare(b, arith::CmpIPredicate::eq, left, right);
  }
  Value emitSelect(Value condition, Value then, Value otherwise) {
    return arith::SelectOp::create(b, condition, then, otherwise);
  }
  /// Emits the power for exponents of at least 0, by repeated squaring.
  Value emitProduct();
  /// Emits 1 divided by the power for the absolute value of the exponent.
  Value emitInverse();

  ImplicitLocOpBuilder &b;
  Value base, exponent;
  Type type;
  unsigned width;
  Value zero, one, allOnes;
};
} // namespace

Value IntegerPower::emitProduct() {
  APInt known;
  bool isKnown = matchPattern(exponent, m_ConstantInt(&known));
  unsigned bits =
      isKnown ? std::min(known.getActiveBits(), width - 1) : width - 1;
  Value power = one, square = base;
  for (unsigned bit = 0; bit != bits; ++bit) {
    Value product = arith::MulIOp::create(b, power, square);
    power = emitSelect(emitBit(exponent, bit), product, power);
    square = arith::MulIOp::create(b, square, square);
  }
  return power;
}

Value IntegerPower::emitInverse() {
  Value isOdd = emitBit(exponent, 0);
  Value ofMinusOne = emitSelect(isOdd, allOnes, one);
  Value isZero = emitEqual(base, zero);
  Value ofOthers = emitSelect(isZero, allOnes, zero);
  Value isMinusOne = emitEqual(base, allOnes);
  Value ofOthersThanOne = emitSelect(isMinusOne, ofMinusOne, ofOthers);
  Value isOne = emitEqual(base, one);
  return emitSelect(isOne, one, ofOthersThanOne);
}

Value IntegerPower::emit() {
  Value isNegative = emitCompare(b, arith::CmpIPredicate::slt, exponent, zero);
  Value inverse = emitInverse();
  Value product = emitProduct();
  return emitSelect(isNegative, inverse, product);
}

static Value emitIntegerPower(ImplicitLocOpBuilder &b, math::IPowIOp op) {
  return IntegerPower(b, op).emit();
}

//===----------------------------------------------------------------------===//
// Functions of floats
//===----------------------------------------------------------------------===//

/// Uses the power of the absolute value, and sets the sign afterwards: as a
/// float, the exponent may have lost the bit that decides about the sign.
static Value emitPower(ImplicitLocOpBuilder &b, math::FPowIOp op) {
  Type type = op.getType();
  bool isNarrow = type.getIntOrFloatBitWidth() < 32;
  Type wide = isNarrow ? b.getF32Type() : type;
  Value base = op.getLhs(), exponent = op.getRhs();
  if (isNarrow)
    base = arith::ExtFOp::create(b, wide, base);
  if (exponent.getType().isIndex())
    exponent = arith::IndexCastOp::create(b, b.getI64Type(), exponent);
  Value power =
      math::PowFOp::create(b, math::AbsFOp::create(b, base),
                           arith::SIToFPOp::create(b, wide, exponent));
  Value isOdd = arith::TruncIOp::create(b, b.getI1Type(), exponent);
  power = arith::SelectOp::create(
      b, isOdd, math::CopySignOp::create(b, power, base), power);
  return isNarrow ? arith::TruncFOp::create(b, type, power).getResult() : power;
}

static Value emitClamp(ImplicitLocOpBuilder &b, math::ClampFOp op) {
  return arith::MinimumFOp::create(
      b, arith::MaximumFOp::create(b, op.getValue(), op.getMin()), op.getMax());
}

static Value emitIsInf(ImplicitLocOpBuilder &b, math::IsInfOp op) {
  Value x = op.getOperand();
  Value size = math::AbsFOp::create(b, x);
  Value infinity = emitFloat(b, x.getType(), APFloat::getInf(getSemantics(x)));
  return arith::CmpFOp::create(b, arith::CmpFPredicate::OEQ, size, infinity);
}

static Value emitIsNormal(ImplicitLocOpBuilder &b, math::IsNormalOp op) {
  Value x = op.getOperand();
  const llvm::fltSemantics &semantics = getSemantics(x);
  Value size = math::AbsFOp::create(b, x);
  Value isLarge = arith::CmpFOp::create(
      b, arith::CmpFPredicate::OGE, size,
      emitFloat(b, x.getType(), APFloat::getSmallestNormalized(semantics)));
  Value isFinite = arith::CmpFOp::create(
      b, arith::CmpFPredicate::OLT, size,
      emitFloat(b, x.getType(), APFloat::getInf(semantics)));
  return arith::AndIOp::create(b, isLarge, isFinite);
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// Replaces `op`, if it is on scalars, by the value that `emit` returns.
template <typename OpTy>
static void replace(OpTy op, Value (*emit)(ImplicitLocOpBuilder &, OpTy)) {
  if (isa<ShapedType>(op->getOperand(0).getType()))
    return;
  ImplicitLocOpBuilder b(op.getLoc(), op);
  op->getResult(0).replaceAllUsesWith(emit(b, op));
  op->erase();
}

/// Splits `op` into a sine and a cosine.
static void split(math::SincosOp op) {
  ImplicitLocOpBuilder b(op.getLoc(), op);
  op.getSin().replaceAllUsesWith(math::SinOp::create(b, op.getOperand()));
  op.getCos().replaceAllUsesWith(math::CosOp::create(b, op.getOperand()));
  op.erase();
}

namespace {

struct ExpandScalarMath : grout::impl::ExpandScalarMathBase<ExpandScalarMath> {
  using Base::Base;

  void runOnOperation() override {
    getOperation()->walk([](Operation *op) {
      if (auto power = dyn_cast<math::IPowIOp>(op))
        replace(power, emitIntegerPower);
      else if (auto power = dyn_cast<math::FPowIOp>(op);
               power && !matchPattern(power.getRhs(), m_Constant()))
        replace(power, emitPower);
      else if (auto clamp = dyn_cast<math::ClampFOp>(op))
        replace(clamp, emitClamp);
      else if (auto isInf = dyn_cast<math::IsInfOp>(op))
        replace(isInf, emitIsInf);
      else if (auto isNormal = dyn_cast<math::IsNormalOp>(op))
        replace(isNormal, emitIsNormal);
      else if (auto both = dyn_cast<math::SincosOp>(op))
        split(both);
    });
  }
};

} // namespace
