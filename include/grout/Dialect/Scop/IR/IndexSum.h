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

/// What `expr`, a function of iterators of a box of `extents`, may be: all
/// integers where grout::getRange has no answer.
IntegerRange getRange(mlir::AffineExpr expr, llvm::ArrayRef<int64_t> extents);

/// A subscript of an access: a constant and terms with factors, which are
/// iterators, or divisions and remainders by constants.
class IndexSum {
public:
  /// The number 0.
  explicit IndexSum(mlir::MLIRContext *context) : context(context) {}
  /// `expr`, simplified by what iterators of a box of `extents` can be.
  IndexSum(mlir::AffineExpr expr, llvm::ArrayRef<int64_t> extents);

  /// Adds `factor` x `other`. A quotient and the remainder of the same division
  /// become what is divided.
  void add(const IndexSum &other, int64_t factor);

  bool isConstant() const { return terms.empty(); }
  /// The factor of an iterator, outside of divisions and remainders.
  int64_t getFactor(unsigned iterator) const;
  /// The number of terms that are divisions or remainders.
  unsigned getNumDivisions() const;
  /// Whether all that depends on the iterators `outer` and `outer` + 1 only
  /// depends on outer x `innerExtent` + inner.
  bool walksAsOne(unsigned outer, int64_t innerExtent) const;

  int64_t getConstant() const { return constant; }
  /// The sum of the terms that are divisions or remainders; null without any.
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
