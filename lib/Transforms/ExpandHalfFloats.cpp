//===- ExpandHalfFloats.cpp - f16 and bf16 without a library --------------===//
//
// Part of Grout. Expands operations for which x86 has no instruction:
// conversions between f64 and f16 or bf16, and fused multiply-adds. For these,
// LLVM would call a function of the compiler's runtime, which the host may
// lack.
//
//===----------------------------------------------------------------------===//

#include "grout/Support/ElementTypes.h"
#include "grout/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace grout {
#define GEN_PASS_DEF_EXPANDHALFFLOATS
#include "grout/Transforms/Passes.h.inc"
} // namespace grout

using namespace mlir;

static bool hasHalfElements(Type type) {
  Type element = getElementTypeOrSelf(type);
  return grout::isNarrowFloat(element);
}

static bool isF64(Type type) { return getElementTypeOrSelf(type).isF64(); }

/// Returns `type` with elements of type `element`.
static Type getWithElement(Type type, Type element) {
  if (auto shaped = dyn_cast<ShapedType>(type))
    return shaped.clone(element);
  return element;
}

/// Rounds f64 by way of f32, to odd: if f32 cannot represent the value, the
/// last bit is set. That bit tells on which side of a tie the value is. So
/// there is only one rounding to nearest.
static Value emitRounded(ImplicitLocOpBuilder &b, arith::TruncFOp op) {
  Value value = op.getIn();
  Type type = op.getType();
  Type f32 = getWithElement(type, b.getF32Type());
  Type i32 = getWithElement(type, b.getI32Type());
  Value nearest = arith::TruncFOp::create(b, f32, value);
  Value back = arith::ExtFOp::create(b, value.getType(), nearest);
  Value isLarger = arith::CmpFOp::create(b, arith::CmpFPredicate::OGT,
                                         math::AbsFOp::create(b, back),
                                         math::AbsFOp::create(b, value));
  Value isOther =
      arith::CmpFOp::create(b, arith::CmpFPredicate::ONE, back, value);
  Value bits = arith::BitcastOp::create(b, i32, nearest);
  bits =
      arith::SubIOp::create(b, bits, arith::ExtUIOp::create(b, i32, isLarger));
  bits = arith::OrIOp::create(b, bits, arith::ExtUIOp::create(b, i32, isOther));
  return arith::TruncFOp::create(b, type,
                                 arith::BitcastOp::create(b, f32, bits));
}

/// Computes in f64, where products are exact, and most sums, too.
static Value emitFma(ImplicitLocOpBuilder &b, math::FmaOp op) {
  Type f64 = getWithElement(op.getType(), b.getF64Type());
  SmallVector<Value> operands;
  for (Value operand : op->getOperands())
    operands.push_back(arith::ExtFOp::create(b, f64, operand));
  return arith::TruncFOp::create(b, op.getType(),
                                 math::FmaOp::create(b, f64, operands));
}

namespace {

struct ExpandHalfFloats : grout::impl::ExpandHalfFloatsBase<ExpandHalfFloats> {
  // An expanded op may contain ops that the next expansion handles.
  void runOnOperation() override {
    getOperation().walk([](math::FmaOp op) {
      if (hasHalfElements(op.getType()))
        replace(op, emitFma);
    });
    getOperation().walk([](arith::TruncFOp op) {
      if (hasHalfElements(op.getType()) && isF64(op.getIn().getType()))
        replace(op, emitRounded);
    });
    getOperation().walk([](arith::ExtFOp op) {
      if (!hasHalfElements(op.getIn().getType()) || !isF64(op.getType()))
        return;
      ImplicitLocOpBuilder b(op.getLoc(), op);
      Type f32 = getWithElement(op.getType(), b.getF32Type());
      op.getInMutable().assign(arith::ExtFOp::create(b, f32, op.getIn()));
    });
  }

  template <typename OpTy>
  static void replace(OpTy op, Value (*emit)(ImplicitLocOpBuilder &, OpTy)) {
    ImplicitLocOpBuilder b(op.getLoc(), op);
    op->getResult(0).replaceAllUsesWith(emit(b, op));
    op->erase();
  }
};

} // namespace
