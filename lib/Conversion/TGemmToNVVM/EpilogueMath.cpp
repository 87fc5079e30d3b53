//===- EpilogueMath.cpp - Scalar math of an epilogue ----------------------===//
//
// Part of Grout. An epilogue runs on data that is about to be rounded to 11 or
// 8 bits, so single-instruction approximations are exact enough. The plain
// reference kernels do not come through here, and stay accurate.
//
//===----------------------------------------------------------------------===//

#include "EpilogueMath.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace grout;
using namespace grout::hopper;

/// log2(e) and ln(2).
static constexpr double kLog2E = 1.44269504088896340736;
static constexpr double kLn2 = 0.69314718055994530942;

LogicalResult hopper::checkEpilogue(tgemm::MatmulOp op) {
  if (op.getEpilogue().empty())
    return success();
  for (Operation &inner : op.getEpilogue().front().without_terminator()) {
    // Those of arith that only narrow types or work on vectors need no list:
    // an epilogue holds scalars.
    bool isSupported =
        isa<arith::ArithDialect>(inner.getDialect()) ||
        isa<math::MathDialect>(inner.getDialect()) || isa<math::AbsFOp, math::CeilOp, math::CopySignOp, math::CosOp,
            math::ErfOp, math::ExpOp, math::Exp2Op, math::FloorOp, math::FmaOp,
            math::LogOp, math::Log2Op, math::PowFOp, math::RsqrtOp,
            math::RoundEvenOp, math::SinOp, math::SqrtOp, math::TanhOp>(inner);
    for (Type type : inner.getResultTypes())
      isSupported &=
          type.isF16() || type.isBF16() || type.isF32() || type.isIntOrIndex();
    if (!isSupported) {
      InFlightDiagnostic diag =
          op.emitOpError() << "cannot be compiled for h200: its epilogue has "
                              "an op that has no lowering";
      diag.attachNote(inner.getLoc()) << "see '" << inner.getName() << "'";
      return diag;
    }
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

/// The approximation of `op` applied to f32 `operands`, or null if it has none.
static Value emitApproximation(DeviceBuilder &b, Operation &op,
                               ValueRange operands) {
  if (isa<math::TanhOp>(op))
    return emitUnary(b, "tanh.approx.f32", operands[0]);
  if (isa<math::Exp2Op>(op))
    return emitUnary(b, "ex2.approx.ftz.f32", operands[0]);
  if (isa<math::ExpOp>(op))
    return emitUnary(b, "ex2.approx.ftz.f32",
                     emitScaled(b, operands[0], kLog2E));
  if (isa<math::Log2Op>(op))
    return emitUnary(b, "lg2.approx.f32", operands[0]);
  if (isa<math::LogOp>(op))
    return emitScaled(b, emitUnary(b, "lg2.approx.f32", operands[0]), kLn2);
  if (isa<math::SqrtOp>(op))
    return emitUnary(b, "sqrt.approx.f32", operands[0]);
  if (isa<math::RsqrtOp>(op))
    return emitUnary(b, "rsqrt.approx.f32", operands[0]);
  // Divides by the full range of f32, within 2 units in the last place. The
  // IEEE division is a branch to a subroutine.
  if (isa<arith::DivFOp>(op))
    return b.assembly(b.getF32Type(), operands, "div.full.f32 $0, $1, $2;",
                      "=f,f,f", /*touchesMemory=*/false);
  return Value();
}

/// The value as an f32.
static Value emitExtended(DeviceBuilder &b, Value value) {
  if (value.getType().isF32())
    return value;
  return arith::ExtFOp::create(b, b.getF32Type(), value);
}

void hopper::emitEpilogueOp(DeviceBuilder &b, Operation &op,
                            IRMapping &mapping) {
  bool isFloat = op.getNumResults() == 1 &&
                 isa<FloatType>(op.getResult(0).getType()) &&
                 llvm::all_of(op.getOperandTypes(), llvm::IsaPred<FloatType>);
  if (isFloat &&
      isa<math::TanhOp, math::Exp2Op, math::ExpOp, math::Log2Op, math::LogOp,
          math::SqrtOp, math::RsqrtOp, arith::DivFOp>(op)) {
    SmallVector<Value> operands;
    for (Value operand : op.getOperands())
      operands.push_back(emitExtended(b, mapping.lookup(operand)));
    Value result = emitApproximation(b, op, operands);
    if (!op.getResult(0).getType().isF32())
      result = arith::TruncFOp::create(b, op.getResult(0).getType(), result);
    mapping.map(op.getResult(0), result);
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
