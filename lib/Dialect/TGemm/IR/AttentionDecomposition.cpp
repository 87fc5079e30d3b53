//===- AttentionDecomposition.cpp - Attention in linalg -------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "DecompositionBuilder.h"
#include "grout/Dialect/TGemm/IR/TGemm.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include <limits>

using namespace mlir;
using namespace grout;
using namespace grout::tgemm;

static constexpr float kNone = -std::numeric_limits<float>::infinity();

namespace {

/// Emits what one op consists of. Scores are tensors of (b, h, i, j), and rows
/// of (b, h, i).
class AttentionDecomposer {
public:
  AttentionDecomposer(AttentionOp op, OpBuilder &builder)
      : op(op), b(op.getLoc(), builder) {}

  Value emit();

private:
  /// Scaled products, with the bias, or minus infinity where there is a mask.
  Value emitScores();
  /// Of each row of `scores`, the largest; 0 if all are minus infinity.
  Value emitOrigins(Value scores);
  Value emitExponentials(Value scores, Value origins);
  Value emitTotals(Value exponentials);
  Value emitQuotients(Value sums, Value totals);

  SmallVector<int64_t> getRows() {
    return {op.getBatch(), op.getHeads(), op.getQueries()};
  }
  SmallVector<int64_t> getShape(int64_t last) {
    SmallVector<int64_t> shape = getRows();
    shape.push_back(last);
    return shape;
  }
  AffineExpr dim(unsigned position) { return b.getAffineDimExpr(position); }
  /// The map from `numDims` loops, the first three of which are (b, h, i).
  AffineMap getMap(unsigned numDims, ArrayRef<AffineExpr> exprs) {
    return AffineMap::get(numDims, 0, exprs, b.getContext());
  }
  AffineMap getRowMap(unsigned numDims) {
    return getMap(numDims, {dim(0), dim(1), dim(2)});
  }
  AffineMap getScoreMap(unsigned numDims, AffineExpr last) {
    return getMap(numDims, {dim(0), dim(1), dim(2), last});
  }
  /// Where keys or values, operand `number`, have (position, element).
  AffineMap getKeyMap(unsigned number, AffineExpr position,
                      AffineExpr element) {
    return op.getOperandLayout(number).compose(
        getMap(5, {dim(0), dim(1).floorDiv(op.getGroup()), position, element}));
  }
  /// `value`, or `other` where `isOther`.
  Value select(DecompositionBuilder &inside, Value isOther, Value other,
               Value value) {
    return arith::SelectOp::create(inside, isOther, other, value);
  }

  AttentionOp op;
  DecompositionBuilder b;
};

} // namespace

Value AttentionDecomposer::emitScores() {
  SmallVector<int64_t> shape = getShape(op.getKeys());
  Value products =
      b.createProduct(op.getQuery(), op.getKey(), shape,
                      {op.getOperandLayout(0).compose(getScoreMap(5, dim(4))),
                       getKeyMap(1, dim(3), dim(4)), getScoreMap(5, dim(3))});
  SmallVector<Value> inputs = {products};
  AffineMap identity = b.getMultiDimIdentityMap(4);
  SmallVector<AffineMap> maps = {identity};
  if (op.getBias()) {
    inputs.push_back(op.getBias());
    maps.push_back(*op.getBiasMap());
  }
  maps.push_back(identity);
  return b.createGeneric(
      inputs, b.createEmpty(shape, b.getF32Type()), maps,
      [&](DecompositionBuilder &inside, ValueRange elements) {
        Value scale = inside.createFloat(op.getScale().convertToFloat());
        Value score = arith::MulFOp::create(inside, elements[0], scale);
        if (op.getBias())
          score = arith::AddFOp::create(
              inside, score, inside.convert(elements[1], b.getF32Type()));
        std::optional<int64_t> causal = op.getCausal();
        if (!causal)
          return score;
        Value last = arith::AddIOp::create(
            inside, linalg::IndexOp::create(inside, 2),
            arith::ConstantIndexOp::create(inside, *causal));
        Value isMasked =
            arith::CmpIOp::create(inside, arith::CmpIPredicate::sgt,
                                  linalg::IndexOp::create(inside, 3), last);
        return select(inside, isMasked, inside.createFloat(kNone), score);
      });
}

Value AttentionDecomposer::emitOrigins(Value scores) {
  Value largest = b.createGeneric(
      scores, b.createFilled(getRows(), kNone),
      {b.getMultiDimIdentityMap(4), getRowMap(4)},
      [](DecompositionBuilder &inside, ValueRange elements) -> Value {
        return arith::MaximumFOp::create(inside, elements[1], elements[0]);
      });
  return b.createGeneric(
      largest, b.createEmpty(getRows(), b.getF32Type()),
      {getRowMap(3), getRowMap(3)},
      [&](DecompositionBuilder &inside, ValueRange elements) {
        Value isNone =
            arith::CmpFOp::create(inside, arith::CmpFPredicate::OEQ,
                                  elements[0], inside.createFloat(kNone));
        return select(inside, isNone, inside.createFloat(0), elements[0]);
      });
}

Value AttentionDecomposer::emitExponentials(Value scores, Value origins) {
  AffineMap identity = b.getMultiDimIdentityMap(4);
  return b.createGeneric(
      {scores, origins}, b.createEmpty(getShape(op.getKeys()), b.getF32Type()),
      {identity, getRowMap(4), identity},
      [](DecompositionBuilder &inside, ValueRange elements) -> Value {
        Value distance =
            arith::SubFOp::create(inside, elements[0], elements[1]);
        return math::ExpOp::create(inside, distance);
      });
}

Value AttentionDecomposer::emitTotals(Value exponentials) {
  return b.createGeneric(
      exponentials, b.createFilled(getRows(), 0),
      {b.getMultiDimIdentityMap(4), getRowMap(4)},
      [](DecompositionBuilder &inside, ValueRange elements) -> Value {
        return arith::AddFOp::create(inside, elements[1], elements[0]);
      });
}

Value AttentionDecomposer::emitQuotients(Value sums, Value totals) {
  auto type = op.getResult().getType();
  return b.createGeneric(
      {sums, totals}, b.createEmpty(type.getShape(), type.getElementType()),
      {b.getMultiDimIdentityMap(4), getRowMap(4), op.getResultLayout()},
      [&](DecompositionBuilder &inside, ValueRange elements) {
        Value quotient =
            arith::DivFOp::create(inside, elements[0], elements[1]);
        if (op.getZeroWithoutKeys()) {
          // The largest score alone makes it 1, if there is one.
          Value zero = inside.createFloat(0);
          Value isNone = arith::CmpFOp::create(
              inside, arith::CmpFPredicate::OEQ, elements[1], zero);
          quotient = select(inside, isNone, zero, quotient);
        }
        return inside.convert(quotient, type.getElementType());
      });
}

Value AttentionDecomposer::emit() {
  Value scores = emitScores();
  Value exponentials = emitExponentials(scores, emitOrigins(scores));
  // Loops are (b, h, i, element, j).
  Value sums =
      b.createProduct(exponentials, op.getValue(), getShape(op.getValueSize()),
                      {getScoreMap(5, dim(4)), getKeyMap(2, dim(4), dim(3)),
                       getScoreMap(5, dim(3))});
  return emitQuotients(sums, emitTotals(exponentials));
}

FailureOr<SmallVector<Value>>
AttentionOp::decomposeOperation(OpBuilder &builder) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(*this);
  return SmallVector<Value>{AttentionDecomposer(*this, builder).emit()};
}
