//===- ExprFolder.h - Folding of expressions --------------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_CONVERSION_LINALGTOTGEMM_EXPRFOLDER_H
#define GROUT_LIB_CONVERSION_LINALGTOTGEMM_EXPRFOLDER_H

#include "ScalarExpr.h"

namespace grout {

/// Folds expressions, given constants and assumed values.
class ExprFolder {
public:
  /// Assumes that `expr`, a float, is `value` for every key.
  void assume(const ScalarExpr *expr, double value);

  /// Returns the value of `expr`; null if it is not known.
  mlir::TypedAttr fold(const ScalarExpr *expr);

private:
  mlir::TypedAttr compute(const ScalarExpr *expr);
  mlir::TypedAttr computeReduction(const ScalarExpr *expr);
  mlir::TypedAttr computeSelection(const ScalarExpr *expr);

  llvm::DenseMap<const ScalarExpr *, mlir::TypedAttr> known;
};

} // namespace grout

#endif // GROUT_LIB_CONVERSION_LINALGTOTGEMM_EXPRFOLDER_H
