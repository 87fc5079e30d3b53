//===- WidenBody.cpp - Bodies that compute in f32 -------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "WidenBody.h"

#include "grout/Conversion/Common/Accumulation.h"
#include "grout/Conversion/Common/OptionalRounding.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/DenseMap.h"

using namespace mlir;
using namespace grout;

/// Whether `op` is f16 or bf16 arithmetic. Casts are not: each of them
/// specifies the type to which it rounds.
static bool computesInHalf(Operation &op) {
  auto hasHalf = [](TypeRange types) {
    return llvm::any_of(types, isNarrowFloat);
  };
  return isa_and_nonnull<arith::ArithDialect, math::MathDialect>(
             op.getDialect()) &&
         !isa<CastOpInterface>(op) && !op.hasTrait<OpTrait::ConstantLike>() &&
         (hasHalf(op.getOperandTypes()) || hasHalf(op.getResultTypes()));
}

bool grout::canWidenBody(Block &body) {
  return llvm::any_of(body, [](Operation &op) {
    return computesInHalf(op) ||
           (isa<arith::ExtFOp>(op) &&
            isNarrowFloat(op.getOperand(0).getType())) ||
           (isa<arith::TruncFOp>(op) &&
            isNarrowFloat(op.getResult(0).getType()));
  });
}

namespace {

class BodyWidener {
public:
  explicit BodyWidener(Block &body) : body(body), builder(body.getParentOp()) {}

  void run(LastRounding last);

private:
  void visit(Operation &op);
  void visitTruncation(arith::TruncFOp op);
  void visitExtension(arith::ExtFOp op);
  void widen(Operation &op);
  void roundOperands(Operation &op, LastRounding rounding);
  /// Returns `value`, an f16 or bf16, as f32.
  Value getWide(Value value);
  Value emitWide(Value value);
  Value emitScalar(Value scalar);

  Block &body;
  OpBuilder builder;
  /// For each f16 or bf16 value, its f32 form.
  llvm::DenseMap<Value, Value> widened;
};

} // namespace

/// Returns the scalar of the program to which `value` is the nearest number of
/// its type; null if there is none.
static Value getScalar(Value value) {
  FloatAttr number;
  auto cast = value.getDefiningOp<arith::TruncFOp>();
  bool isScalar = cast && !cast.getRoundingmode() &&
                  matchPattern(cast.getIn(), m_Constant(&number));
  return isScalar ? cast.getIn() : Value();
}

Value BodyWidener::emitScalar(Value scalar) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&body);
  Type f32 = builder.getF32Type();
  return scalar.getType() == f32
             ? scalar
             : arith::TruncFOp::create(builder, scalar.getLoc(), f32, scalar);
}

Value BodyWidener::emitWide(Value value) {
  OpBuilder::InsertionGuard guard(builder);
  Location loc = value.getLoc();
  Type f32 = builder.getF32Type();
  builder.setInsertionPointToStart(&body);
  if (Operation *op = value.getDefiningOp(); op && op->getBlock() == &body)
    builder.setInsertionPointAfter(op);
  Value wide = builder.createOrFold<arith::ExtFOp>(loc, f32, value);
  if (auto extension = wide.getDefiningOp<arith::ExtFOp>())
    setOptional(extension);
  return wide;
}

Value BodyWidener::getWide(Value value) {
  Value &wide = widened[value];
  if (!wide)
    wide = emitWide(value);
  return wide;
}

void BodyWidener::visitTruncation(arith::TruncFOp op) {
  if (!isNarrowFloat(op.getType()))
    return;
  if (op.getRoundingmode())
    op.removeRoundingmodeAttr();
  else if (op.getIn().getType().isF32() && !getScalar(op))
    widened[op] = op.getIn();
}

void BodyWidener::visitExtension(arith::ExtFOp op) {
  if (!isNarrowFloat(op.getIn().getType()))
    return;
  Value wide = widened.lookup(op.getIn());
  if (!wide) {
    setOptional(op);
    return;
  }
  if (op.getType() != wide.getType()) {
    op.getInMutable().assign(wide);
    return;
  }
  op.replaceAllUsesWith(wide);
  op.erase();
}

void BodyWidener::widen(Operation &op) {
  SmallVector<Value> operands =
      llvm::map_to_vector(op.getOperands(), [&](Value operand) {
        // A comparison with a scalar uses the nearest number of the operand's
        // type. Arithmetic uses the scalar itself.
        Value scalar = isa<arith::CmpFOp>(op) ? Value() : getScalar(operand);
        if (scalar)
          return emitScalar(scalar);
        return isNarrowFloat(operand.getType()) ? getWide(operand) : operand;
      });
  builder.setInsertionPointAfter(&op);
  Operation *copy = builder.clone(op);
  copy->setOperands(operands);
  for (auto [old, result] :
       llvm::zip_equal(op.getResults(), copy->getResults())) {
    if (!isNarrowFloat(old.getType())) {
      old.replaceAllUsesWith(result);
      continue;
    }
    result.setType(builder.getF32Type());
    widened[old] = result;
  }
}

/// Rounds operands of other ops, which need 16 bits, before the op.
void BodyWidener::roundOperands(Operation &op, LastRounding rounding) {
  builder.setInsertionPoint(&op);
  for (OpOperand &operand : op.getOpOperands()) {
    Value wide = widened.lookup(operand.get());
    if (!wide)
      continue;
    if (rounding == LastRounding::none) {
      operand.set(wide);
      continue;
    }
    if (wide.getDefiningOp<arith::ExtFOp>())
      continue;
    auto rounded = arith::TruncFOp::create(builder, op.getLoc(),
                                           operand.get().getType(), wide);
    if (rounding == LastRounding::optional)
      setOptional(rounded);
    operand.set(rounded);
  }
}

void BodyWidener::visit(Operation &op) {
  if (auto truncation = dyn_cast<arith::TruncFOp>(op))
    visitTruncation(truncation);
  else if (auto extension = dyn_cast<arith::ExtFOp>(op))
    visitExtension(extension);
  else if (computesInHalf(op))
    widen(op);
  else
    roundOperands(op, LastRounding::done);
}

void BodyWidener::run(LastRounding last) {
  SmallVector<Operation *> ops = llvm::map_to_vector(
      body.without_terminator(), [](Operation &op) { return &op; });
  for (Operation *op : ops)
    visit(*op);
  roundOperands(*body.getTerminator(), last);
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(body)))
    if (isOpTriviallyDead(&op))
      op.erase();
}

void grout::widenBody(Block &body, LastRounding last) {
  BodyWidener(body).run(last);
}
