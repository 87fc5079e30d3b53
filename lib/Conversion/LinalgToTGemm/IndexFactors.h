//===- IndexFactors.h - Indices as products of factors ----------*- C++ -*-===//
//
// Part of Grout. A batch of heads may be one dimension of a tensor, and two of
// another. If their indices consist of the same factors, they can be followed
// through all reshapes and transposes.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_CONVERSION_LINALGTOTGEMM_INDEXFACTORS_H
#define GROUT_LIB_CONVERSION_LINALGTOTGEMM_INDEXFACTORS_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace grout {

/// An index in mixed radix: its digits, the most significant first. Without
/// digits, the index is 0.
using FactorList = llvm::SmallVector<unsigned, 4>;

/// The index of each dimension of a tensor.
using FactorIndex = llvm::SmallVector<FactorList, 4>;

/// Returns the index of the element that loops with indices `loops` access
/// through `map`, a projected permutation.
FactorIndex getIndex(mlir::AffineMap map, const FactorIndex &loops);

/// The digits of indices, each with an extent above 1. If a reshape needs it, a
/// digit is divided in two. Everything that was built with it must be built
/// again then.
class IndexFactors {
public:
  /// Returns the index of loop `loop` of `op`, which has `extent` iterations.
  FactorList getLoop(mlir::Operation *op, unsigned loop, int64_t extent);

  int64_t getExtent(unsigned factor) const { return extents[factor]; }
  int64_t getExtent(llvm::ArrayRef<unsigned> factors) const;

  /// Distributes `factors` to dimensions of `shape`. Fails if a digit would
  /// have to be divided: then either it was divided, or it cannot be.
  std::optional<FactorIndex> split(llvm::ArrayRef<unsigned> factors,
                                   llvm::ArrayRef<int64_t> shape);

  /// Whether a digit was divided since the last call.
  bool takeChange() { return std::exchange(changed, false); }

private:
  unsigned add(int64_t extent);
  void divide(unsigned factor, int64_t outerExtent);
  /// Appends the digits into which `factor` has been divided.
  void appendResolved(unsigned factor, FactorList &list) const;
  std::optional<FactorList> takeFactors(llvm::ArrayRef<unsigned> &factors,
                                        int64_t extent);

  llvm::SmallVector<int64_t> extents;
  llvm::DenseMap<unsigned, std::pair<unsigned, unsigned>> parts;
  llvm::DenseMap<std::pair<mlir::Operation *, unsigned>, unsigned> loops;
  bool changed = false;
};

} // namespace grout

#endif // GROUT_LIB_CONVERSION_LINALGTOTGEMM_INDEXFACTORS_H
