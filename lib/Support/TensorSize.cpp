//===- TensorSize.cpp - Bytes of tensors ----------------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Support/TensorSize.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

std::optional<int64_t> grout::getSize(llvm::ArrayRef<int64_t> extents,
                                      Type elementType) {
  int64_t size = elementType
                     ? llvm::divideCeil(elementType.getIntOrFloatBitWidth(), 8)
                     : 1;
  for (int64_t extent : extents)
    if (llvm::MulOverflow(size, extent, size))
      return std::nullopt;
  return size;
}
