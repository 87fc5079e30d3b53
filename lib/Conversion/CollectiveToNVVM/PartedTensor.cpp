//===- PartedTensor.cpp - Tensors of which each rank has a part -----------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "PartedTensor.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace grout;

/// Returns `view` with as few dimensions as possible, in which its elements
/// have the same order.
static BufferView collapse(const BufferView &view) {
  BufferView result = view;
  result.shape.clear();
  result.strides.clear();
  for (auto [extent, stride] : llvm::zip_equal(view.shape, view.strides)) {
    if (extent == 1)
      continue;
    if (!result.shape.empty() && result.strides.back() == extent * stride) {
      result.shape.back() *= extent;
      result.strides.back() = stride;
      continue;
    }
    result.shape.push_back(extent);
    result.strides.push_back(stride);
  }
  return result;
}

PartedTensor PartedTensor::getWhole(const BufferView &view) {
  return {collapse(view), 0};
}

PartedTensor PartedTensor::getCut(const BufferView &view, uint64_t dim,
                                  int64_t ranks) {
  BufferView part = view;
  part.shape[dim] /= ranks;
  return {collapse(part), part.shape[dim] * part.strides[dim]};
}

bool PartedTensor::hasVectors(int64_t size) const {
  if (size == 1)
    return true;
  if (part.shape.empty() || part.strides.back() != 1)
    return false;
  auto isMultiple = [&](int64_t number) { return number % size == 0; };
  return isMultiple(part.shape.back()) && isMultiple(part.offset) &&
         isMultiple(distance) &&
         llvm::all_of(ArrayRef<int64_t>(part.strides).drop_back(), isMultiple);
}

Value PartedTensor::emitAddress(ImplicitLocOpBuilder &b, Value pointer,
                                Value number, Value element) const {
  auto emitNumber = [&](int64_t value) -> Value {
    return arith::ConstantIntOp::create(b, b.getI64Type(), value);
  };
  Value offset = emitNumber(part.offset);
  auto add = [&](Value index, int64_t stride) {
    offset = arith::AddIOp::create(
        b, offset, arith::MulIOp::create(b, index, emitNumber(stride)));
  };
  if (distance != 0)
    add(arith::ExtUIOp::create(b, b.getI64Type(), number), distance);
  Value rest = element;
  size_t rank = part.shape.size();
  for (size_t dim = rank; dim-- != 0;) {
    Value extent = emitNumber(part.shape[dim]);
    // The outermost index is what remains.
    Value index =
        dim == 0 ? rest : arith::RemUIOp::create(b, rest, extent).getResult();
    add(index, part.strides[dim]);
    if (dim != 0)
      rest = arith::DivUIOp::create(b, rest, extent);
  }
  return LLVM::GEPOp::create(b, pointer.getType(), part.elementType, pointer,
                             ValueRange{offset});
}
