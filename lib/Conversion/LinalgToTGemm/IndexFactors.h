//===- IndexFactors.h - Indices as products of factors ----------*- C++ -*-===//
//
// Part of Grout. A batch of heads may be one dimension of a tensor and two of
// another. Indices that are made of the same factors can be followed through
// all reshapes and transposes.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_CONVERSION_LINALGTOTGEMM_INDEXFACTORS_H
#define GROUT_LIB_CONVERSION_LINALGTOTGEMM_INDEXFACTORS_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace grout {

/// An index in mixed radix: its digits, from the most significant. Without any
/// it is 0.
using FactorList = llvm::SmallVector<unsigned, 4>;

/// The index of each dimension of a tensor.
using FactorIndex = llvm::SmallVector<FactorList, 4>;

/// What loops of the indices `loops` access through `map`, a projected
/// permutation.
FactorIndex getIndex(mlir::AffineMap map, const FactorIndex &loops);

/// The digits of which indices are made, each with an extent above 1. A digit
/// is divided in two when a reshape needs that; what was built before is then
/// to be built again.
class IndexFactors {
public:
  /// The index of a loop of `op`, of `extent` iterations.
  FactorList getLoop(mlir::Operation *op, unsigned loop, int64_t extent);

  int64_t getExtent(unsigned factor) const { return extents[factor]; }
  int64_t getExtent(llvm::ArrayRef<unsigned> factors) const;

  /// Deals out `factors` to dimensions of `shape`. Fails where a digit would
  /// have to be divided: either it was, or it cannot be.
  std::optional<FactorIndex> split(llvm::ArrayRef<unsigned> factors,
                                   llvm::ArrayRef<int64_t> shape);

  /// Whether a digit was divided since the last call.
  bool takeChange() { return std::exchange(changed, false); }

private:
  unsigned add(int64_t extent);
  void divide(unsigned factor, int64_t outerExtent);
  /// Appends the digits that `factor` has been divided into.
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
