//===- IndexSum.h - Subscripts as sums --------------------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_DIALECT_SCOP_IR_INDEXSUM_H
#define GROUT_DIALECT_SCOP_IR_INDEXSUM_H

#include "grout/Analysis/AffineRange.h"
#include "mlir/IR/AffineExpr.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/MapVector.h"

namespace grout::scop {

/// Returns the values that `expr` may take, a function of iterators of a box of
/// `extents`: all integers if grout::getRange has no answer.
IntegerRange getRange(mlir::AffineExpr expr, llvm::ArrayRef<int64_t> extents);

/// A subscript of an access, as a sum: a constant, and terms with factors. A
/// term is an iterator, or a division or remainder by a constant.
class IndexSum {
public:
  /// The number 0.
  explicit IndexSum(mlir::MLIRContext *context) : context(context) {}
  /// The subscript `expr`, simplified with the ranges of iterators of a box of
  /// `extents`.
  IndexSum(mlir::AffineExpr expr, llvm::ArrayRef<int64_t> extents);

  /// Adds `factor` x `other`. If the sum then has the quotient and the
  /// remainder of the same division, these become the dividend.
  void add(const IndexSum &other, int64_t factor);

  bool isConstant() const { return terms.empty(); }
  /// Returns the factor of an iterator, outside of divisions and remainders.
  int64_t getFactor(unsigned iterator) const;
  /// Returns the number of terms that are divisions or remainders.
  unsigned getNumDivisions() const;
  /// Returns whether the sum is a function of outer x `innerExtent` + inner,
  /// where inner is the iterator `outer` + 1, as far as it depends on these two
  /// iterators.
  bool walksAsOne(unsigned outer, int64_t innerExtent) const;

  int64_t getConstant() const { return constant; }
  /// Returns the sum of the terms that are divisions or remainders; null
  /// without any.
  mlir::AffineExpr getDivisions() const;
  mlir::AffineExpr getExpr() const;

private:
  void addTerm(mlir::AffineExpr term, int64_t factor);
  void addExpr(mlir::AffineExpr expr, int64_t factor);
  /// Joins one quotient and remainder, if there is such a pair.
  bool joinDivision();

  mlir::MLIRContext *context;
  llvm::MapVector<mlir::AffineExpr, int64_t> terms;
  int64_t constant = 0;
};

} // namespace grout::scop

#endif // GROUT_DIALECT_SCOP_IR_INDEXSUM_H
