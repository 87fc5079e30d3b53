//===- EpilogueMath.cpp - Scalar math of an epilogue ----------------------===//
//
// Part of Grout. An epilogue runs on data that is about to be rounded to 11 or
// 8 bits, so single-instruction approximations are exact enough. The plain
// reference kernels do not come through here, and stay accurate.
//
//===----------------------------------------------------------------------===//

#include "EpilogueMath.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace grout;
using namespace grout::hopper;

/// Factors between logarithms: log2(e), ln(2) and log10(2).
static constexpr double kLog2E = 1.44269504088896340736;
static constexpr double kLn2 = 0.69314718055994530942;
static constexpr double kLog10Of2 = 0.30102999566398119521;

/// Whether `op`, on scalars, has a lowering here or in the kernel pipeline.
static bool isSupported(Operation &op) {
  if (isa<arith::ArithDialect>(op.getDialect()))
    return true;
  return isa<math::AbsFOp, math::AcosOp, math::AcoshOp, math::AsinOp,
             math::AsinhOp, math::AtanOp, math::Atan2Op, math::AtanhOp,
             math::CbrtOp, math::CeilOp, math::CopySignOp, math::CosOp,
             math::CoshOp, math::ErfOp, math::ErfcOp, math::ExpOp, math::Exp2Op,
             math::ExpM1Op, math::FloorOp, math::FmaOp, math::FPowIOp,
             math::LogOp, math::Log10Op, math::Log1pOp, math::Log2Op,
             math::PowFOp, math::RoundOp, math::RoundEvenOp, math::RsqrtOp,
             math::SinOp, math::SinhOp, math::SqrtOp, math::TanOp, math::TanhOp,
             math::TruncOp>(op);
}

/// Whether values of `type` fit the kernels: f64 would be slow without notice.
static bool isSupported(Type type) {
  return type.isF16() || type.isBF16() || type.isF32() || type.isIntOrIndex();
}

LogicalResult hopper::checkEpilogue(tgemm::MatmulOp op) {
  if (op.getEpilogue().empty())
    return success();
  for (Operation &inner : op.getEpilogue().front().without_terminator())
    if (!isSupported(inner) ||
        !llvm::all_of(inner.getResultTypes(),
                      [](Type type) { return isSupported(type); })) {
      InFlightDiagnostic diag =
          op.emitOpError() << "cannot be compiled for h200: its epilogue has "
                              "an op without a lowering";
      diag.attachNote(inner.getLoc()) << "see '" << inner.getName() << "'";
      return diag;
    }
  return success();
}

/// An f32 function of one instruction.
static Value emitUnary(DeviceBuilder &b, StringRef instruction, Value operand) {
  return b.assembly(b.getF32Type(), operand, (instruction + " $0, $1;").str(),
                    "=f,f",
                    /*touchesMemory=*/false);
}

static Value emitScaled(DeviceBuilder &b, Value value, double factor) {
  Value constant =
      arith::ConstantOp::create(b, b.getF32Type(), b.getF32FloatAttr(factor));
  return arith::MulFOp::create(b, value, constant);
}

/// Builds the approximation of an op from its operands, as f32.
using Approximation = Value (*)(DeviceBuilder &, ValueRange);

/// The approximation of ops like `op`, or null if they have none.
static Approximation getApproximation(Operation &op) {
  return llvm::TypeSwitch<Operation *, Approximation>(&op)
      .Case<math::TanhOp>([](auto) -> Approximation {
        return [](DeviceBuilder &b, ValueRange operands) {
          return emitUnary(b, "tanh.approx.f32", operands[0]);
        };
      })
      .Case<math::Exp2Op>([](auto) -> Approximation {
        return [](DeviceBuilder &b, ValueRange operands) {
          return emitUnary(b, "ex2.approx.ftz.f32", operands[0]);
        };
      })
      .Case<math::ExpOp>([](auto) -> Approximation {
        return [](DeviceBuilder &b, ValueRange operands) {
          return emitUnary(b, "ex2.approx.ftz.f32",
                           emitScaled(b, operands[0], kLog2E));
        };
      })
      .Case<math::Log2Op>([](auto) -> Approximation {
        return [](DeviceBuilder &b, ValueRange operands) {
          return emitUnary(b, "lg2.approx.f32", operands[0]);
        };
      })
      .Case<math::LogOp>([](auto) -> Approximation {
        return [](DeviceBuilder &b, ValueRange operands) {
          return emitScaled(b, emitUnary(b, "lg2.approx.f32", operands[0]),
                            kLn2);
        };
      })
      .Case<math::Log10Op>([](auto) -> Approximation {
        return [](DeviceBuilder &b, ValueRange operands) {
          return emitScaled(b, emitUnary(b, "lg2.approx.f32", operands[0]),
                            kLog10Of2);
        };
      })
      .Case<math::SqrtOp>([](auto) -> Approximation {
        return [](DeviceBuilder &b, ValueRange operands) {
          return emitUnary(b, "sqrt.approx.f32", operands[0]);
        };
      })
      .Case<math::RsqrtOp>([](auto) -> Approximation {
        return [](DeviceBuilder &b, ValueRange operands) {
          return emitUnary(b, "rsqrt.approx.f32", operands[0]);
        };
      })
      // Over the full range of f32, within 2 units in the last place. The IEEE
      // division is a branch to a subroutine.
      .Case<arith::DivFOp>([](auto) -> Approximation {
        return [](DeviceBuilder &b, ValueRange operands) {
          return b.assembly(b.getF32Type(), operands,
                            "div.full.f32 $0, $1, $2;", "=f,f,f",
                            /*touchesMemory=*/false);
        };
      })
      .Default([](Operation *) -> Approximation { return nullptr; });
}

/// The value as an f32.
static Value emitExtended(DeviceBuilder &b, Value value) {
  if (value.getType().isF32())
    return value;
  return arith::ExtFOp::create(b, b.getF32Type(), value);
}

/// If `op` is x * (y + 1), as in GELU and SiLU by tanh, emits it as x * y + x,
/// which is one operation; else returns null.
static Value emitTimesOnePlus(DeviceBuilder &b, Operation &op,
                              IRMapping &mapping) {
  if (!isa<arith::MulFOp>(op) || !op.getResult(0).getType().isF32())
    return Value();
  for (unsigned index : {0, 1}) {
    auto sum = op.getOperand(index).getDefiningOp<arith::AddFOp>();
    if (!sum || !matchPattern(sum.getRhs(), m_OneFloat()))
      continue;
    Value factor = mapping.lookup(op.getOperand(1 - index));
    return LLVM::FMAOp::create(b, factor, mapping.lookup(sum.getLhs()), factor);
  }
  return Value();
}

void hopper::emitEpilogueOp(DeviceBuilder &b, Operation &op,
                            IRMapping &mapping) {
  if (Approximation approximation = getApproximation(op)) {
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
