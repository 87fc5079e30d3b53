//===- LinearAccess.cpp - Accesses as offset and strides ------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Dialect/Scop/IR/LinearAccess.h"

#include "mlir/Analysis/FlatLinearValueConstraints.h"

using namespace mlir;
using namespace grout;

/// Adds up the indices of `map`. Quotients, also those in remainders, add
/// nothing. Returns none if there are any, unless `allowsQuotients`.
static std::optional<scop::LinearAccess>
addIndices(AffineMap map, ArrayRef<int64_t> strides, bool allowsQuotients) {
  unsigned numIterators = map.getNumDims();
  scop::LinearAccess access;
  access.strides.assign(numIterators, 0);
  for (auto [index, stride] : llvm::zip_equal(map.getResults(), strides)) {
    SmallVector<int64_t> coefficients;
    // Flattening makes a new variable of each quotient, behind the iterators.
    if (failed(getFlattenedAffineExpr(index, numIterators, /*numSymbols=*/0,
                                      &coefficients)) ||
        (!allowsQuotients && coefficients.size() != numIterators + 1))
      return std::nullopt;
    for (unsigned i = 0; i != numIterators; ++i)
      access.strides[i] += coefficients[i] * stride;
    access.offset += coefficients.back() * stride;
  }
  return access;
}

std::optional<scop::LinearAccess>
scop::getLinearAccess(AffineMap map, ArrayRef<int64_t> strides) {
  return addIndices(map, strides, /*allowsQuotients=*/false);
}

std::optional<scop::LinearAccess>
scop::getAccessWithoutQuotients(AffineMap map, ArrayRef<int64_t> strides) {
  return addIndices(map, strides, /*allowsQuotients=*/true);
}
