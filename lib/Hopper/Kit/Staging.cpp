//===- Staging.cpp - Results in shared memory -----------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Hopper/Kit/Staging.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace grout;
using namespace grout::hopper;

Value hopper::getSwizzle(DeviceBuilder &b, int64_t rowBytes, Value row) {
  if (!llvm::isPowerOf2_64(rowBytes))
    return b.i32(0);
  // Bits 7 to 9 of an address change bits 4 to 6: as many bits as the row's
  // number of parts has.
  int64_t parts = rowBytes / 16;
  int64_t shift = llvm::Log2_64(kRowBytes / rowBytes);
  return b.shiftLeft(b.bitAnd(b.shiftRight(row, shift), parts - 1), 4);
}

Value hopper::emitRoundedPair(DeviceBuilder &b, ArrayRef<Value> pair,
                              FloatType type) {
  Value rounded = arith::TruncFOp::create(b, VectorType::get({2}, type),
                                          b.createVector(pair));
  return LLVM::BitcastOp::create(b, b.getI32Type(), rounded);
}

void hopper::emitStoreMatrices(DeviceBuilder &b, Value address,
                               ArrayRef<Value> pairs, NVVM::MMALayout layout) {
  NVVM::StMatrixOp::create(b, b.sharedPointer(address), pairs,
                           NVVM::MMALayoutAttr::get(b.getContext(), layout),
                           NVVM::LdStMatrixShapeAttr::get(b.getContext(), 8, 8),
                           NVVM::LdStMatrixEltTypeAttr::get(
                               b.getContext(), NVVM::LdStMatrixEltType::B16));
}
