//===- BufferParts.cpp - Which buffers have elements in common ------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Dialect/Launch/IR/BufferParts.h"

#include "grout/Dialect/Launch/IR/Launch.h"

using namespace mlir;
using namespace grout;

Value launch::getMemory(Value buffer) {
  auto part = buffer.getDefiningOp<PartOp>();
  return part ? part.getSource() : buffer;
}

namespace {

/// The elements of a buffer with an offset, extents and strides.
struct Elements {
  explicit Elements(Value buffer)
      : shape(cast<MemRefType>(buffer.getType()).getShape()) {
    LogicalResult isStrided =
        cast<MemRefType>(buffer.getType()).getStridesAndOffset(strides, offset);
    assert(succeeded(isStrided) && "buffers are dense, or parts");
    (void)isStrided;
  }

  /// Divides memory into rows of `length` elements, and returns the first and
  /// the last place in a row of the buffer's elements, if they have the same
  /// places in all rows. Without a length, all memory is one row.
  std::optional<std::pair<int64_t, int64_t>>
  getPlaces(std::optional<int64_t> length) const {
    int64_t first = length ? offset % *length : offset, last = first;
    for (auto [extent, stride] : llvm::zip_equal(shape, strides))
      if (!length || stride % *length != 0)
        last += (extent - 1) * stride;
    if (length && last >= *length)
      return std::nullopt;
    return std::pair(first, last);
  }

  ArrayRef<int64_t> shape;
  SmallVector<int64_t> strides;
  int64_t offset = 0;
};

} // namespace

bool launch::mayOverlap(Value first, Value second) {
  if (getMemory(first) != getMemory(second))
    return false;
  Elements one(first), other(second);
  auto areApart = [&](std::optional<int64_t> length) {
    auto places = one.getPlaces(length), others = other.getPlaces(length);
    return places && others &&
           (places->second < others->first || others->second < places->first);
  };
  return !areApart(std::nullopt) &&
         llvm::none_of(one.strides, [&](int64_t stride) {
           return stride > 1 && areApart(stride);
         });
}
