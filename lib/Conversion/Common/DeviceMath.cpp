//===- DeviceMath.cpp - Scalar math on a GPU ------------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Conversion/Common/DeviceMath.h"

#include "grout/Target/IR/Grout.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace grout;

/// Factors between logarithms: log2(e), ln(2) and log10(2).
static constexpr double kLog2E = 1.44269504088896340736;
static constexpr double kLn2 = 0.69314718055994530942;
static constexpr double kLog10Of2 = 0.30102999566398119521;

/// Emits an f32 function of `operands` as assembly.
static Value emitAssembly(ImplicitLocOpBuilder &b, ValueRange operands,
                          StringRef code, StringRef constraints) {
  return LLVM::InlineAsmOp::create(
             b, b.getF32Type(), operands, code, constraints,
             /*has_side_effects=*/false, /*is_align_stack=*/false,
             LLVM::tailcallkind::TailCallKind::None,
             LLVM::AsmDialectAttr::get(b.getContext(),
                                       LLVM::AsmDialect::AD_ATT),
             /*operand_attrs=*/ArrayAttr())
      .getResult(0);
}

/// Emits an f32 function of a single instruction.
static Value emitUnary(ImplicitLocOpBuilder &b, StringRef instruction,
                       Value operand) {
  return emitAssembly(b, operand, (instruction + " $0, $1;").str(), "=f,f");
}

static Value emitConstant(ImplicitLocOpBuilder &b, double value) {
  return arith::ConstantOp::create(b, b.getF32Type(), b.getF32FloatAttr(value));
}

static Value emitScaled(ImplicitLocOpBuilder &b, Value value, double factor) {
  return arith::MulFOp::create(b, value, emitConstant(b, factor));
}

/// Emits the polynomial of `x` with `coefficients`, the highest power first.
static Value emitPolynomial(ImplicitLocOpBuilder &b, Value x,
                            ArrayRef<double> coefficients) {
  Value sum = emitConstant(b, coefficients.front());
  for (double coefficient : coefficients.drop_front())
    sum = LLVM::FMAOp::create(b, sum, x, emitConstant(b, coefficient));
  return sum;
}

/// Emits the exponential function, as 2^k * 2^rest, where the special function
/// unit only sees the rest, and not the integer k. A rounded product with
/// log2(e) would lose bits of large results.
static Value emitExp(ImplicitLocOpBuilder &b, Value x) {
  // k is from -126 to 126. After 1.5 * 2^23 + 127 is added, its low bits are
  // the exponent bits of 2^k.
  constexpr double range = 252, shift = 0x1.8p23 + 127;
  Value share = emitAssembly(
      b, {x, emitConstant(b, kLog2E / range), emitConstant(b, 0.5)},
      "fma.rn.sat.f32 $0, $1, $2, $3;", "=f,f,f,f");
  Value shifted = LLVM::FMAOp::create(b, share, emitConstant(b, range),
                                      emitConstant(b, shift - range / 2));
  Value negated = arith::SubFOp::create(b, emitConstant(b, shift), shifted);
  constexpr double rest = kLog2E - static_cast<float>(kLog2E);
  Value exponent = LLVM::FMAOp::create(b, x, emitConstant(b, kLog2E), negated);
  exponent = LLVM::FMAOp::create(b, x, emitConstant(b, rest), exponent);
  Type i32 = b.getI32Type();
  Value power = arith::BitcastOp::create(
      b, b.getF32Type(),
      arith::ShLIOp::create(
          b, arith::BitcastOp::create(b, i32, shifted),
          arith::ConstantOp::create(b, b.getI32IntegerAttr(23))));
  return arith::MulFOp::create(b, emitUnary(b, "ex2.approx.ftz.f32", exponent),
                               power);
}

/// Emits the error function. Below 1, it is x times a polynomial of x squared.
/// Above 1, it is 1 minus the complement, which is a power of 2 with a smooth
/// exponent. Beyond 4, it is 1 in f32. The polynomials are fitted by least
/// squares, weighted for an even error: 4e-8 of the result, and 2e-8.
static Value emitErf(ImplicitLocOpBuilder &b, Value x) {
  Value size = math::AbsFOp::create(b, x);
  Value square = arith::MulFOp::create(b, x, x);
  Value small = arith::MulFOp::create(
      b, x,
      emitPolynomial(b, square,
                     {-0.0005631419005481021, 0.004917550615771249,
                      -0.026711310591883926, 0.11280180085654798,
                      -0.3761232618323292, 1.1283791224931572}));
  Value limited = arith::MinimumFOp::create(b, size, emitConstant(b, 4));
  Value exponent = emitPolynomial(b, limited,
                                  {-0.0016597111736362889, 0.021320341883508204,
                                   -0.12787214587846097, -0.9442278694901189,
                                   -1.612123019417479, -0.0038544347595526212});
  Value complement = emitUnary(b, "ex2.approx.ftz.f32", exponent);
  Value large = math::CopySignOp::create(
      b, arith::SubFOp::create(b, emitConstant(b, 1), complement), x);
  Value isSmall = arith::CmpFOp::create(b, arith::CmpFPredicate::OLT, size,
                                        emitConstant(b, 1));
  return arith::SelectOp::create(b, isSmall, small, large);
}

/// Emits the error function for uses that compute 1 + erf of it in 16 bits, as
/// GELU does. It is 1 minus the complement everywhere, with an error of up to
/// 7e-5. It is fitted for an even error of x * (1 + erf(x / sqrt(2))) in units
/// of f16, which is 0.15.
static Value emitRoughErf(ImplicitLocOpBuilder &b, Value x) {
  Value size = math::AbsFOp::create(b, x);
  Value exponent = arith::MulFOp::create(
      b, size,
      emitPolynomial(b, size,
                     {-0.001904279841816438, 0.023986074951603487,
                      -0.13825319397871738, -0.9261034179660153,
                      -1.6262115659966552}));
  Value complement = emitUnary(b, "ex2.approx.ftz.f32", exponent);
  return math::CopySignOp::create(
      b, arith::SubFOp::create(b, emitConstant(b, 1), complement), x);
}

/// Returns the operand of `value` to which 1 is added; null if there is none.
static Value getAddedToOne(Value value) {
  auto sum = value.getDefiningOp<arith::AddFOp>();
  if (!sum)
    return Value();
  if (matchPattern(sum.getRhs(), m_OneFloat()))
    return sum.getLhs();
  return matchPattern(sum.getLhs(), m_OneFloat()) ? sum.getRhs() : Value();
}

/// Whether all users of `op` add 1 to it.
static bool isAddedToOne(Operation &op) {
  return llvm::all_of(op.getUsers(), [&](Operation *user) {
    return isa<arith::AddFOp>(user) &&
           getAddedToOne(user->getResult(0)) == op.getResult(0);
  });
}

/// Whether `op` is 1 / (1 + exp(y)), or x / (1 + exp(-x)). Then next to nothing
/// is lost where the reciprocal of the divisor is not a normal number. (The
/// logarithm of such a quotient is as far off there as a little later, where
/// exp is infinite.)
static bool isLogistic(arith::DivFOp op) {
  Value added = getAddedToOne(op.getRhs());
  auto exp = added ? added.getDefiningOp<math::ExpOp>() : math::ExpOp();
  if (!exp)
    return false;
  auto negated = exp.getOperand().getDefiningOp<arith::NegFOp>();
  return matchPattern(op.getLhs(), m_OneFloat()) ||
         (negated && negated.getOperand() == op.getLhs());
}

/// Whether `op` may round its exponent, as in a softmax whose result has 16
/// bits.
static bool mayBeApproximate(math::ExpOp op) {
  return bitEnumContainsAny(op.getFastmath(), arith::FastMathFlags::afn);
}

/// Builds the approximation of an op from its operands, as f32.
using Approximation = Value (*)(ImplicitLocOpBuilder &, ValueRange);

/// Returns the approximation of ops like `op`; null if they have none.
static Approximation getApproximation(Operation &op, bool roundsTo16Bits) {
  // Logarithms near 1 are less accurate than f32.
  if (isa<math::TanhOp, math::LogOp, math::Log2Op, math::Log10Op>(op) &&
      !roundsTo16Bits)
    return nullptr;
  // Doubles are computed with full precision.
  if (op.getNumResults() != 1 || op.getResult(0).getType().isF64())
    return nullptr;
  return llvm::TypeSwitch<Operation *, Approximation>(&op)
      .Case<math::TanhOp>([](auto) -> Approximation {
        return [](ImplicitLocOpBuilder &b, ValueRange operands) {
          return emitUnary(b, "tanh.approx.f32", operands[0]);
        };
      })
      .Case<math::Exp2Op>([&](auto) -> Approximation {
        if (roundsTo16Bits)
          return [](ImplicitLocOpBuilder &b, ValueRange operands) {
            return emitUnary(b, "ex2.approx.ftz.f32", operands[0]);
          };
        return [](ImplicitLocOpBuilder &b, ValueRange operands) {
          return emitUnary(b, "ex2.approx.f32", operands[0]);
        };
      })
      .Case<math::ExpOp>([&](math::ExpOp exp) -> Approximation {
        if (!roundsTo16Bits && !mayBeApproximate(exp))
          return [](ImplicitLocOpBuilder &b, ValueRange operands) {
            return emitExp(b, operands[0]);
          };
        return [](ImplicitLocOpBuilder &b, ValueRange operands) {
          return emitUnary(b, "ex2.approx.ftz.f32",
                           emitScaled(b, operands[0], kLog2E));
        };
      })
      .Case<math::Log2Op>([](auto) -> Approximation {
        return [](ImplicitLocOpBuilder &b, ValueRange operands) {
          return emitUnary(b, "lg2.approx.f32", operands[0]);
        };
      })
      .Case<math::LogOp>([](auto) -> Approximation {
        return [](ImplicitLocOpBuilder &b, ValueRange operands) {
          return emitScaled(b, emitUnary(b, "lg2.approx.f32", operands[0]),
                            kLn2);
        };
      })
      .Case<math::Log10Op>([](auto) -> Approximation {
        return [](ImplicitLocOpBuilder &b, ValueRange operands) {
          return emitScaled(b, emitUnary(b, "lg2.approx.f32", operands[0]),
                            kLog10Of2);
        };
      })
      .Case<math::ErfOp>([&](auto) -> Approximation {
        if (roundsTo16Bits && isAddedToOne(op))
          return [](ImplicitLocOpBuilder &b, ValueRange operands) {
            return emitRoughErf(b, operands[0]);
          };
        return [](ImplicitLocOpBuilder &b, ValueRange operands) {
          return emitErf(b, operands[0]);
        };
      })
      .Case<math::SqrtOp>([](auto) -> Approximation {
        return [](ImplicitLocOpBuilder &b, ValueRange operands) {
          return emitUnary(b, "sqrt.approx.f32", operands[0]);
        };
      })
      .Case<math::RsqrtOp>([](auto) -> Approximation {
        return [](ImplicitLocOpBuilder &b, ValueRange operands) {
          return emitUnary(b, "rsqrt.approx.f32", operands[0]);
        };
      })
      // Valid over the full range of f32, within 2 units in the last place. The
      // IEEE division would branch to a subroutine.
      .Case<arith::DivFOp>([&](arith::DivFOp quotient) -> Approximation {
        if (roundsTo16Bits && isLogistic(quotient))
          return [](ImplicitLocOpBuilder &b, ValueRange operands) {
            return emitAssembly(b, operands, "div.approx.ftz.f32 $0, $1, $2;",
                                "=f,f,f");
          };
        return [](ImplicitLocOpBuilder &b, ValueRange operands) {
          return emitAssembly(b, operands, "div.full.f32 $0, $1, $2;",
                              "=f,f,f");
        };
      })
      .Default([](Operation *) -> Approximation { return nullptr; });
}

/// Returns the value as an f32.
static Value emitExtended(ImplicitLocOpBuilder &b, Value value) {
  if (value.getType().isF32())
    return value;
  return arith::ExtFOp::create(b, b.getF32Type(), value);
}

/// If `op` is x * (y + 1), as in GELU and SiLU by tanh, emits it as the single
/// operation x * y + x. Otherwise returns null.
static Value emitTimesOnePlus(ImplicitLocOpBuilder &b, Operation &op,
                              IRMapping &mapping) {
  if (!isa<arith::MulFOp>(op) || !op.getResult(0).getType().isF32())
    return Value();
  for (unsigned index : {0, 1})
    if (Value added = getAddedToOne(op.getOperand(index))) {
      Value factor = mapping.lookup(op.getOperand(1 - index));
      return LLVM::FMAOp::create(b, factor, mapping.lookup(added), factor);
    }
  return Value();
}

/// Whether `op` is arithmetic of a module in which every operation rounds.
static bool isExact(Operation &op) {
  return isa<arith::AddFOp, arith::DivFOp, arith::MulFOp, arith::SubFOp,
             math::SqrtOp>(op) &&
         op.getParentOfType<ModuleOp>()->hasAttr(
             GroutDialect::getExactAttrName());
}

void grout::emitDeviceOp(ImplicitLocOpBuilder &b, Operation &op,
                         IRMapping &mapping, bool roundsTo16Bits) {
  if (isExact(op)) {
    b.clone(op, mapping);
    return;
  }
  if (Approximation approximation = getApproximation(op, roundsTo16Bits)) {
    SmallVector<Value> operands;
    for (Value operand : op.getOperands())
      operands.push_back(emitExtended(b, mapping.lookup(operand)));
    Value result = approximation(b, operands);
    if (!op.getResult(0).getType().isF32())
      result = arith::TruncFOp::create(b, op.getResult(0).getType(), result);
    mapping.map(op.getResult(0), result);
    return;
  }
  if (Value fused = emitTimesOnePlus(b, op, mapping)) {
    mapping.map(op.getResult(0), fused);
    return;
  }
  Operation *copy = b.clone(op, mapping);
  // A product and a sum may become one fused operation, as they do in cuBLAS.
  if (isa<arith::AddFOp, arith::MulFOp, arith::SubFOp>(copy)) {
    auto arith = cast<arith::ArithFastMathInterface>(copy);
    auto flags = arith.getFastMathFlagsAttr().getValue() |
                 arith::FastMathFlags::contract;
    copy->setAttr(arith.getFastMathAttrName(),
                  arith::FastMathFlagsAttr::get(b.getContext(), flags));
  }
}
