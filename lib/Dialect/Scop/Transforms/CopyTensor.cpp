//===- CopyTensor.cpp - A tensor with memory of its own -------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "CopyTensor.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

Value grout::scop::createCopy(OpBuilder &builder, Location loc, Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  Value empty = tensor::EmptyOp::create(builder, loc, type.getShape(),
                                        type.getElementType());
  return linalg::CopyOp::create(builder, loc, tensor, empty).getResult(0);
}
