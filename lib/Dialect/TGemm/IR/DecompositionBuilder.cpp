//===- DecompositionBuilder.cpp - Builds linalg for tgemm ops ------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "DecompositionBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace grout;
using namespace grout::tgemm;

Value DecompositionBuilder::createFloat(float value) {
  return arith::ConstantOp::create(*this, getF32FloatAttr(value));
}

Value DecompositionBuilder::convert(Value value, Type type) {
  return convertScalarToDtype(*this, getLoc(), value, type,
                              /*isUnsignedCast=*/false);
}

Value DecompositionBuilder::createEmpty(ArrayRef<int64_t> shape, Type element) {
  return tensor::EmptyOp::create(*this, shape, element);
}

Value DecompositionBuilder::createFilled(ArrayRef<int64_t> shape, float value) {
  return linalg::FillOp::create(*this, createFloat(value),
                                createEmpty(shape, getF32Type()))
      .getResult(0);
}

Value DecompositionBuilder::createGeneric(ValueRange inputs, Value init,
                                          ArrayRef<AffineMap> maps,
                                          BodyBuilder body) {
  AffineMap result = maps.back();
  SmallVector<utils::IteratorType> iterators(result.getNumDims(),
                                             utils::IteratorType::reduction);
  for (AffineExpr expr : result.getResults())
    iterators[cast<AffineDimExpr>(expr).getPosition()] =
        utils::IteratorType::parallel;
  return linalg::GenericOp::create(
             *this, init.getType(), inputs, init, maps, iterators,
             [&](OpBuilder &inside, Location loc, ValueRange elements) {
               DecompositionBuilder builder(loc, inside);
               linalg::YieldOp::create(builder, body(builder, elements));
             })
      .getResult(0);
}

Value DecompositionBuilder::createProduct(Value lhs, Value rhs,
                                          ArrayRef<int64_t> shape,
                                          ArrayRef<AffineMap> maps) {
  return createGeneric(
      {lhs, rhs}, createFilled(shape, 0), maps,
      [](DecompositionBuilder &b, ValueRange elements) -> Value {
        Type f32 = b.getF32Type();
        Value product = arith::MulFOp::create(b, b.convert(elements[0], f32),
                                              b.convert(elements[1], f32));
        return arith::AddFOp::create(b, elements[2], product);
      });
}
