//===- PartialReduction.h - A reduction in two stages -----------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_DIALECT_SCOP_TRANSFORMS_PARTIALREDUCTION_H
#define GROUT_LIB_DIALECT_SCOP_TRANSFORMS_PARTIALREDUCTION_H

#include "grout/Dialect/Scop/IR/Scop.h"

namespace grout::scop {

/// A reduction that is split into parts: the iterations of its loop `outer`.
class PartialReduction {
public:
  PartialReduction(StmtOp op, unsigned outer);

  /// Makes the reduction combine into partial results, and adds a statement
  /// after it that combines these. Returns that statement.
  StmtOp split();

  /// Makes the parts of a sum of squared differences from a mean, which is read
  /// number `meanRead`, independent of this mean. `sum` adds the elements of
  /// which it is the mean; both must be split. Each part subtracts the mean of
  /// its own n elements instead, and the combination adds n times the squared
  /// difference of the two means (Chan, Golub and LeVeque, "Updating formulae
  /// and a pairwise algorithm for computing sample variances", 1979).
  void centre(const PartialReduction &sum, unsigned meanRead);

private:
  /// Returns the map from the reduction's iterators to those of partial
  /// results.
  mlir::AffineMap getPartialMap();
  /// Returns `map`, of an access of the reduction, as a function of the
  /// iterators of partial results.
  mlir::AffineMap getCombinedMap(mlir::AffineMap map);
  StmtOp createStatement(mlir::OpBuilder &builder, llvm::StringRef suffix,
                         llvm::ArrayRef<mlir::Value> reads,
                         llvm::ArrayRef<mlir::AffineMap> readMaps,
                         llvm::ArrayRef<mlir::Value> writes,
                         llvm::ArrayRef<mlir::AffineMap> writeMaps);
  void createPartials();
  void createStart();
  void combineIntoPartials();
  void createCombination();
  /// Creates the means of the parts before the reduction, and returns them.
  mlir::Value createPartMeans(const PartialReduction &sum);
  /// Adds to each part, in the combination, what its own mean leaves out.
  void addDifferences(mlir::Value partMeans, mlir::Value mean,
                      mlir::AffineMap meanMap);
  /// The elements that a part combines into one.
  int64_t getPartSize();

  KernelOp kernel;
  StmtOp op, combination;
  unsigned outer;
  /// The reduction's iterators that partial results have, and their extents.
  llvm::SmallVector<unsigned> iterators;
  llvm::SmallVector<int64_t> extents;
  llvm::SmallVector<mlir::Value> partials;
};

} // namespace grout::scop

#endif // GROUT_LIB_DIALECT_SCOP_TRANSFORMS_PARTIALREDUCTION_H
