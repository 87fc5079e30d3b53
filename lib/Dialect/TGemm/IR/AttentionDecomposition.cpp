//===- AttentionDecomposition.cpp - Attention in linalg -------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "DecompositionBuilder.h"
#include "grout/Dialect/TGemm/IR/TGemm.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include <limits>

using namespace mlir;
using namespace grout;
using namespace grout::tgemm;

static constexpr float kNone = -std::numeric_limits<float>::infinity();

namespace {

/// Emits the linalg ops that compute one attention op. Dimensions of scores are
/// (b, h, i, j), and those of rows are (b, h, i).
class AttentionDecomposer {
public:
  AttentionDecomposer(AttentionOp op, OpBuilder &builder)
      : op(op), b(op.getLoc(), builder) {}

  Value emit();

private:
  /// Returns the scaled products plus the bias, or minus infinity where masked.
  Value emitScores();
  /// For each row of `scores`: the largest score; and the origin, which is that
  /// score, or 0 if it is minus infinity.
  Value emitLargest(Value scores);
  Value emitOrigins(Value largest);
  Value emitExponentials(Value scores, Value origins);
  Value emitTotals(Value exponentials);
  Value emitSums(Value exponentials);
  Value emitQuotients(Value sums, Value totals);
  /// Returns `scores` with minus infinity for all keys that are not in part
  /// `part`.
  Value emitPartScores(Value scores, int64_t part);
  /// Returns `result` with the results of part `part` inserted.
  Value emitPart(Value scores, int64_t part, Value result);
  /// Returns `result` with `rows` inserted as part `part`, from element
  /// `firstElement` on.
  Value insert(Value rows, Value result, int64_t part, int64_t firstElement);

  SmallVector<int64_t> getRows() {
    return {op.getBatch(), op.getHeads(), op.getQueries()};
  }
  SmallVector<int64_t> getShape(int64_t last) {
    SmallVector<int64_t> shape = getRows();
    shape.push_back(last);
    return shape;
  }
  AffineExpr dim(unsigned position) { return b.getAffineDimExpr(position); }
  /// Returns a map from `numDims` loops, of which the first three are (b, h,
  /// i).
  AffineMap getMap(unsigned numDims, ArrayRef<AffineExpr> exprs) {
    return AffineMap::get(numDims, 0, exprs, b.getContext());
  }
  AffineMap getRowMap(unsigned numDims) {
    return getMap(numDims, {dim(0), dim(1), dim(2)});
  }
  AffineMap getScoreMap(unsigned numDims, AffineExpr last) {
    return getMap(numDims, {dim(0), dim(1), dim(2), last});
  }
  /// Returns the map to element (position, element) of operand number `number`,
  /// which is the keys or the values.
  AffineMap getKeyMap(unsigned number, AffineExpr position,
                      AffineExpr element) {
    return op.getOperandLayout(number).compose(
        getMap(5, {dim(0), dim(1).floorDiv(op.getGroup()), position, element}));
  }
  /// Returns `other` where `isOther`, else `value`.
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

Value AttentionDecomposer::emitLargest(Value scores) {
  return b.createGeneric(
      scores, b.createFilled(getRows(), kNone),
      {b.getMultiDimIdentityMap(4), getRowMap(4)},
      [](DecompositionBuilder &inside, ValueRange elements) -> Value {
        return arith::MaximumFOp::create(inside, elements[1], elements[0]);
      });
}

Value AttentionDecomposer::emitOrigins(Value largest) {
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

Value AttentionDecomposer::emitSums(Value exponentials) {
  // Loops are (b, h, i, element, j).
  return b.createProduct(exponentials, op.getValue(),
                         getShape(op.getValueSize()),
                         {getScoreMap(5, dim(4)), getKeyMap(2, dim(4), dim(3)),
                          getScoreMap(5, dim(3))});
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
          // If the row has any key, its largest score alone makes the sum at
          // least 1.
          Value zero = inside.createFloat(0);
          Value isNone = arith::CmpFOp::create(
              inside, arith::CmpFPredicate::OEQ, elements[1], zero);
          quotient = select(inside, isNone, zero, quotient);
        }
        return inside.convert(quotient, type.getElementType());
      });
}

Value AttentionDecomposer::emitPartScores(Value scores, int64_t part) {
  int64_t keys = op.getKeysOfPart();
  AffineMap identity = b.getMultiDimIdentityMap(4);
  return b.createGeneric(
      scores, b.createEmpty(getShape(op.getKeys()), b.getF32Type()),
      {identity, identity},
      [&](DecompositionBuilder &inside, ValueRange elements) {
        Value ofKey = arith::DivUIOp::create(
            inside, linalg::IndexOp::create(inside, 3),
            arith::ConstantIndexOp::create(inside, keys));
        Value isOther =
            arith::CmpIOp::create(inside, arith::CmpIPredicate::ne, ofKey,
                                  arith::ConstantIndexOp::create(inside, part));
        return select(inside, isOther, inside.createFloat(kNone), elements[0]);
      });
}

Value AttentionDecomposer::emitPart(Value scores, int64_t part, Value result) {
  scores = emitPartScores(scores, part);
  Value largest = emitLargest(scores);
  Value exponentials = emitExponentials(scores, emitOrigins(largest));
  Value sums = emitSums(exponentials), totals = emitTotals(exponentials);
  AffineMap identity = b.getMultiDimIdentityMap(4);
  Value statistics = b.createGeneric(
      {largest, totals},
      b.createEmpty(getShape(AttentionOp::kPartElements), b.getF32Type()),
      {getRowMap(4), getRowMap(4), identity},
      [&](DecompositionBuilder &inside, ValueRange elements) {
        Value number = linalg::IndexOp::create(inside, 3);
        auto isNumber = [&](int64_t other) -> Value {
          return arith::CmpIOp::create(
              inside, arith::CmpIPredicate::eq, number,
              arith::ConstantIndexOp::create(inside, other));
        };
        Value rest =
            select(inside, isNumber(1), elements[1], inside.createFloat(0));
        return select(inside, isNumber(0), elements[0], rest);
      });
  result = insert(sums, result, part, 0);
  return insert(statistics, result, part, op.getValueSize());
}

Value AttentionDecomposer::insert(Value rows, Value result, int64_t part,
                                  int64_t firstElement) {
  SmallVector<OpFoldResult> offsets(4, b.getIndexAttr(0));
  offsets[0] = b.getIndexAttr(part * op.getBatch());
  offsets[3] = b.getIndexAttr(firstElement);
  ArrayRef<int64_t> shape = cast<RankedTensorType>(rows.getType()).getShape();
  SmallVector<OpFoldResult> ones(4, b.getIndexAttr(1));
  return tensor::InsertSliceOp::create(
      b, rows, result, offsets, getAsIndexOpFoldResult(b.getContext(), shape),
      ones);
}

Value AttentionDecomposer::emit() {
  Value scores = emitScores();
  if (op.getPartKeys()) {
    auto type = op.getResult().getType();
    Value result = b.createEmpty(type.getShape(), type.getElementType());
    for (int64_t part = 0; part != op.getParts(); ++part)
      result = emitPart(scores, part, result);
    return result;
  }
  Value exponentials =
      emitExponentials(scores, emitOrigins(emitLargest(scores)));
  Value sums = emitSums(exponentials);
  return emitQuotients(sums, emitTotals(exponentials));
}

FailureOr<SmallVector<Value>>
AttentionOp::decomposeOperation(OpBuilder &builder) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(*this);
  return SmallVector<Value>{AttentionDecomposer(*this, builder).emit()};
}
