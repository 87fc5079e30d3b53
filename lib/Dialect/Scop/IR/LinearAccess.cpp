//===- LinearAccess.cpp - Accesses as offset and strides ------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Dialect/Scop/IR/LinearAccess.h"

#include "mlir/Analysis/FlatLinearValueConstraints.h"

using namespace mlir;
using namespace grout;

std::optional<scop::LinearAccess>
scop::getLinearAccess(AffineMap map, ArrayRef<int64_t> strides) {
  unsigned numIterators = map.getNumDims();
  LinearAccess access;
  access.strides.assign(numIterators, 0);
  for (auto [index, stride] : llvm::zip_equal(map.getResults(), strides)) {
    SmallVector<int64_t> coefficients;
    // Flattening makes a new variable of each division.
    if (failed(getFlattenedAffineExpr(index, numIterators, /*numSymbols=*/0,
                                      &coefficients)) ||
        coefficients.size() != numIterators + 1)
      return std::nullopt;
    for (unsigned i = 0; i != numIterators; ++i)
      access.strides[i] += coefficients[i] * stride;
    access.offset += coefficients.back() * stride;
  }
  return access;
}
