//===- Softmax.cpp - Decomposes softmax -----------------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Conversion/Common/Softmax.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

using BodyBuilder =
    llvm::function_ref<Value(OpBuilder &, Location, ValueRange)>;

static Value toF32(OpBuilder &builder, Value value) {
  if (value.getType().isF32())
    return value;
  return arith::ExtFOp::create(builder, value.getLoc(), builder.getF32Type(),
                               value);
}

namespace {

/// Creates linalg ops on the tensors of one softmax.
struct Rows {
  OpBuilder &builder;
  Location loc;
  ArrayRef<int64_t> shape;
  unsigned dim;

  AffineMap getMap(bool isReduced) const {
    AffineMap map = builder.getMultiDimIdentityMap(shape.size());
    return isReduced ? map.dropResult(dim) : map;
  }

  Value createEmpty(Type element, bool isReduced) const {
    SmallVector<int64_t> extents(shape);
    if (isReduced)
      extents.erase(extents.begin() + dim);
    return tensor::EmptyOp::create(builder, loc, extents, element);
  }

  Value createGeneric(ValueRange inputs, ArrayRef<bool> areReduced, Value init,
                      bool isReduction, BodyBuilder body) const {
    SmallVector<AffineMap> maps;
    for (bool isReduced : areReduced)
      maps.push_back(getMap(isReduced));
    maps.push_back(getMap(isReduction));
    SmallVector<utils::IteratorType> iterators(shape.size(),
                                               utils::IteratorType::parallel);
    if (isReduction)
      iterators[dim] = utils::IteratorType::reduction;
    return linalg::GenericOp::create(
               builder, loc, init.getType(), inputs, init, maps, iterators,
               [&](OpBuilder &inside, Location at, ValueRange elements) {
                 linalg::YieldOp::create(inside, at,
                                         body(inside, at, elements));
               })
        .getResult(0);
  }

  /// Combines the rows of `tensor`, in f32.
  Value reduce(Value tensor, arith::AtomicRMWKind kind) const {
    Type element = builder.getF32Type();
    Value neutral = arith::getIdentityValue(kind, element, builder, loc,
                                            /*useOnlyFiniteValue=*/true);
    Value empty = createEmpty(element, /*isReduced=*/true);
    Value start =
        linalg::FillOp::create(builder, loc, neutral, empty).getResult(0);
    return createGeneric(
        tensor, false, start, /*isReduction=*/true,
        [&](OpBuilder &inside, Location at, ValueRange elements) {
          return arith::getReductionOp(kind, inside, at,
                                       toF32(inside, elements[0]), elements[1]);
        });
  }
};

} // namespace

Value grout::decomposeHalfSoftmax(OpBuilder &builder, linalg::SoftmaxOp op) {
  auto type = cast<RankedTensorType>(op.getInput().getType());
  Rows rows{builder, op.getLoc(), type.getShape(),
            static_cast<unsigned>(op.getDimension())};
  Type half = type.getElementType(), f32 = builder.getF32Type();
  Value input = op.getInput();

  Value largest = rows.reduce(input, arith::AtomicRMWKind::maxnumf);
  Value exponentials = rows.createGeneric(
      {input, largest}, {false, true}, rows.createEmpty(f32, false),
      /*isReduction=*/false,
      [&](OpBuilder &inside, Location at, ValueRange elements) -> Value {
        Value distance = arith::SubFOp::create(
            inside, at, toF32(inside, elements[0]), elements[1]);
        // Rounding the exponent changes it by 2^-24 of the distance, which
        // shows neither in the sum nor in the result.
        return math::ExpOp::create(inside, at, distance,
                                   arith::FastMathFlags::afn);
      });
  Value sum = rows.reduce(exponentials, arith::AtomicRMWKind::addf);
  return rows.createGeneric(
      {exponentials, sum}, {false, true}, rows.createEmpty(half, false),
      /*isReduction=*/false,
      [&](OpBuilder &inside, Location at, ValueRange elements) -> Value {
        Value quotient =
            arith::DivFOp::create(inside, at, elements[0], elements[1]);
        return arith::TruncFOp::create(inside, at, half, quotient);
      });
}
