//===- Image.cpp - A dialect of filters -----------------------------------===//
//
// Part of Grout. The reference plan, against which grout-run checks, is made of
// what decomposeOperation returns.
//
//===----------------------------------------------------------------------===//

#include "image/Image.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;
using namespace image;

#include "image/ImageDialect.cpp.inc"

void ImageDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "image/ImageOps.cpp.inc"
      >();
}

/// `x` with a row of zeros above and one below.
static Value padRows(ImplicitLocOpBuilder &b, TypedValue<RankedTensorType> x) {
  RankedTensorType type = x.getType();
  auto padded = RankedTensorType::get(
      {type.getDimSize(0) + 2, type.getDimSize(1)}, type.getElementType());
  SmallVector<OpFoldResult> padding{b.getIndexAttr(1), b.getIndexAttr(0)};
  Value zero = arith::ConstantOp::create(b, b.getF32FloatAttr(0));
  return tensor::PadOp::create(b, padded, x, padding, padding, zero);
}

/// As many rows of `padded` as `type` has, from row `first` on.
static Value takeRows(ImplicitLocOpBuilder &b, Value padded,
                      RankedTensorType type, int64_t first) {
  SmallVector<OpFoldResult> offsets{b.getIndexAttr(first), b.getIndexAttr(0)};
  SmallVector<OpFoldResult> sizes =
      getAsIndexOpFoldResult(b.getContext(), type.getShape());
  SmallVector<OpFoldResult> strides(2, b.getIndexAttr(1));
  return tensor::ExtractSliceOp::create(b, type, padded, offsets, sizes,
                                        strides);
}

FailureOr<SmallVector<Value>> SmoothOp::decomposeOperation(OpBuilder &builder) {
  ImplicitLocOpBuilder b(getLoc(), builder);
  RankedTensorType type = getType();
  Value padded = padRows(b, getInput());
  SmallVector<Value> rows;
  for (int64_t first : {0, 1, 2})
    rows.push_back(takeRows(b, padded, type, first));
  Value empty = tensor::EmptyOp::create(b, type.getShape(), b.getF32Type());
  SmallVector<AffineMap> maps(4, b.getMultiDimIdentityMap(2));
  SmallVector<utils::IteratorType> loops(2, utils::IteratorType::parallel);
  auto sum = linalg::GenericOp::create(
      b, TypeRange{type}, rows, ValueRange{empty}, maps, loops,
      [](OpBuilder &nested, Location loc, ValueRange elements) {
        ImplicitLocOpBuilder body(loc, nested);
        Value half = arith::ConstantOp::create(body, body.getF32FloatAttr(0.5));
        Value quarter =
            arith::ConstantOp::create(body, body.getF32FloatAttr(0.25));
        Value outer = arith::MulFOp::create(
            body, arith::AddFOp::create(body, elements[0], elements[2]),
            quarter);
        Value inner = arith::MulFOp::create(body, elements[1], half);
        Value result = arith::AddFOp::create(body, outer, inner);
        linalg::YieldOp::create(body, result);
      });
  return SmallVector<Value>(sum.getResults());
}

#define GET_OP_CLASSES
#include "image/ImageOps.cpp.inc"
