//===- TGemmSplitAttention.cpp - Attention to parts of its keys -----------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Dialect/TGemm/IR/TGemm.h"
#include "grout/Dialect/TGemm/Transforms/AttentionModel.h"
#include "grout/Dialect/TGemm/Transforms/Passes.h"
#include "grout/Target/IR/Grout.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/DebugLog.h"
#include <limits>

#define DEBUG_TYPE "tgemm-split-attention"

namespace grout::tgemm {
#define GEN_PASS_DEF_TGEMMSPLITATTENTION
#include "grout/Dialect/TGemm/Transforms/Passes.h.inc"
} // namespace grout::tgemm

using namespace mlir;
using namespace grout;
using namespace grout::tgemm;

namespace {

/// Splits one attention op into parts of its keys, and builds its result from
/// them.
class PartsBuilder {
public:
  PartsBuilder(AttentionOp op, int64_t partKeys)
      : b(op.getLoc(), op), op(op), partKeys(partKeys) {}

  Value build();

private:
  /// Builds the op that computes the parts.
  AttentionOp buildParts();
  /// Returns elements [first, first + count) of the rows of part `part`. If
  /// `count` is 1, the result has no dimension for elements.
  Value slice(AttentionOp parts, int64_t part, int64_t first, int64_t count);
  /// Returns the element of the result, given for each part its sum of values,
  /// its largest score, and its sum of exponentials.
  Value join(ValueRange sums, ValueRange largest, ValueRange totals);
  Value createFloat(float value) {
    return arith::ConstantOp::create(b, b.getF32FloatAttr(value));
  }
  Value add(Value sum, Value value) {
    return sum ? arith::AddFOp::create(b, sum, value).getResult() : value;
  }
  /// Returns 0 where `value` is `number`, and `other` elsewhere.
  Value zeroWhere(Value value, float number, Value other);

  ImplicitLocOpBuilder b;
  AttentionOp op;
  int64_t partKeys;
};

} // namespace

AttentionOp PartsBuilder::buildParts() {
  auto parts = cast<AttentionOp>(b.clone(*op));
  parts.setPartKeys(partKeys);
  if (std::optional<ArrayAttr> layouts = op.getLayouts()) {
    SmallVector<Attribute> maps(layouts->getValue());
    maps.back() = AffineMapAttr::get(b.getMultiDimIdentityMap(4));
    parts.setLayoutsAttr(b.getArrayAttr(maps));
  }
  parts.getResult().setType(RankedTensorType::get(
      {parts.getBatch() * parts.getParts(), parts.getHeads(),
       parts.getQueries(), parts.getResultSize()},
      b.getF32Type()));
  return parts;
}

Value PartsBuilder::slice(AttentionOp parts, int64_t part, int64_t first,
                          int64_t count) {
  SmallVector<int64_t> shape = {op.getBatch(), op.getHeads(), op.getQueries()};
  SmallVector<OpFoldResult> sizes =
      getAsIndexOpFoldResult(b.getContext(), shape);
  sizes.push_back(b.getIndexAttr(count));
  SmallVector<OpFoldResult> offsets(4, b.getIndexAttr(0));
  offsets[0] = b.getIndexAttr(part * op.getBatch());
  offsets[3] = b.getIndexAttr(first);
  SmallVector<OpFoldResult> ones(4, b.getIndexAttr(1));
  if (count != 1)
    shape.push_back(count);
  return tensor::ExtractSliceOp::create(
      b, RankedTensorType::get(shape, b.getF32Type()), parts.getResult(),
      offsets, sizes, ones);
}

Value PartsBuilder::zeroWhere(Value value, float number, Value other) {
  Value isNumber = arith::CmpFOp::create(b, arith::CmpFPredicate::OEQ, value,
                                         createFloat(number));
  return arith::SelectOp::create(b, isNumber, createFloat(0), other);
}

Value PartsBuilder::join(ValueRange sums, ValueRange largest,
                         ValueRange totals) {
  Value ofAll = largest.front();
  for (Value other : largest.drop_front())
    ofAll = arith::MaximumFOp::create(b, ofAll, other);
  // If all scores are minus infinity, subtract 0 instead: minus infinity less
  // itself is not a number.
  Value origin =
      zeroWhere(ofAll, -std::numeric_limits<float>::infinity(), ofAll);
  Value sum, total;
  for (auto [part, score, exponentials] :
       llvm::zip_equal(sums, largest, totals)) {
    Value factor = math::ExpOp::create(
        b, arith::SubFOp::create(b, score, origin).getResult());
    sum = add(sum, arith::MulFOp::create(b, part, factor));
    total = add(total, arith::MulFOp::create(b, exponentials, factor));
  }
  Value quotient = arith::DivFOp::create(b, sum, total);
  // If the row has any key, its largest score alone makes the sum at least 1.
  if (op.getZeroWithoutKeys())
    quotient = zeroWhere(total, 0, quotient);
  if (op.getResultElementType().isF32())
    return quotient;
  return arith::TruncFOp::create(b, op.getResultElementType(), quotient);
}

Value PartsBuilder::build() {
  AttentionOp parts = buildParts();
  int64_t count = parts.getParts(), size = op.getValueSize();
  SmallVector<Value> inputs;
  auto addInputs = [&](int64_t first, int64_t elements) {
    for (int64_t part = 0; part != count; ++part)
      inputs.push_back(slice(parts, part, first, elements));
  };
  addInputs(0, size);
  addInputs(size, 1);
  addInputs(size + 1, 1);
  AffineMap rows = b.getMultiDimIdentityMap(4).dropResult(3);
  SmallVector<AffineMap> maps(count, b.getMultiDimIdentityMap(4));
  maps.append(2 * count, rows);
  maps.push_back(op.getResultLayout());
  auto type = op.getResult().getType();
  Value init =
      tensor::EmptyOp::create(b, type.getShape(), type.getElementType());
  SmallVector<utils::IteratorType> loops(4, utils::IteratorType::parallel);
  auto result = linalg::GenericOp::create(
      b, TypeRange(type), inputs, ValueRange(init), maps, loops,
      [&](OpBuilder &builder, Location, ValueRange elements) {
        OpBuilder::InsertionGuard guard(b);
        b.restoreInsertionPoint(builder.saveInsertionPoint());
        Value joined =
            join(elements.take_front(count), elements.slice(count, count),
                 elements.slice(2 * count, count));
        linalg::YieldOp::create(b, joined);
      });
  return result.getResult(0);
}

namespace {

struct TGemmSplitAttention
    : grout::tgemm::impl::TGemmSplitAttentionBase<TGemmSplitAttention> {
  using Base::Base;

  void runOnOperation() override {
    const Target *target = findTarget(getOperation());
    const auto *model =
        target ? target->getInterface<AttentionModel>() : nullptr;
    if (!model)
      return;
    getOperation().walk([&](AttentionOp op) { split(op, *model); });
  }

private:
  void split(AttentionOp op, const AttentionModel &model) {
    if (op.getTiling() || op.getPartKeys())
      return;
    std::optional<int64_t> keys = model.choosePartKeys(op);
    if (!keys)
      return;
    LDBG() << op.getLoc() << " has parts of " << *keys << " keys";
    Value result = PartsBuilder(op, *keys).build();
    op.replaceAllUsesWith(result);
    op.erase();
    ++numSplit;
  }
};

} // namespace
