//===- ExprFolder.h - Expressions of which parts are known ------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_CONVERSION_LINALGTOTGEMM_EXPRFOLDER_H
#define GROUT_LIB_CONVERSION_LINALGTOTGEMM_EXPRFOLDER_H

#include "ScalarExpr.h"

namespace grout {

/// Computes what follows from constants, and from what is assumed.
class ExprFolder {
public:
  /// Takes `expr`, a float, to be `value`, for every key the same.
  void assume(const ScalarExpr *expr, double value);

  /// Null if that is not known.
  mlir::TypedAttr fold(const ScalarExpr *expr);

private:
  mlir::TypedAttr compute(const ScalarExpr *expr);
  mlir::TypedAttr computeReduction(const ScalarExpr *expr);
  mlir::TypedAttr computeSelection(const ScalarExpr *expr);

  llvm::DenseMap<const ScalarExpr *, mlir::TypedAttr> known;
};

} // namespace grout

#endif // GROUT_LIB_CONVERSION_LINALGTOTGEMM_EXPRFOLDER_H
