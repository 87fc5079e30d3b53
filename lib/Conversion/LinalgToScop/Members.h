//===- Members.h - Ops that a scop kernel can contain -----------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_CONVERSION_LINALGTOSCOP_MEMBERS_H
#define GROUT_LIB_CONVERSION_LINALGTOSCOP_MEMBERS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace grout::scop {

/// Whether `op` is a reshape or a slice, which a kernel can absorb into its
/// accesses.
bool isView(mlir::Operation *op);

/// Returns the map from indices of a view's result to those of its source.
mlir::AffineMap getViewMap(mlir::Operation *view);

/// Whether `op`, a linalg op or a tensor.scatter, becomes statements of a
/// kernel. Compute-bound linalg ops do not, and get a remark.
bool isStatement(mlir::Operation *op);

/// Emits an error if `op`, which is a statement, cannot be converted.
mlir::LogicalResult checkStatement(mlir::Operation *op);

/// Returns the tensor of which `value` is a view, or `value` itself.
mlir::Value getViewed(mlir::Value value);

/// Returns the ops that define tensors from which `op` gathers, and the views
/// in between.
llvm::SmallVector<mlir::Operation *> getGathered(mlir::Operation *op);

/// Returns the constant value of a scalar, or of all elements of a tensor; null
/// if it is not known.
mlir::TypedAttr getScalarConstant(mlir::Value value);

} // namespace grout::scop

#endif // GROUT_LIB_CONVERSION_LINALGTOSCOP_MEMBERS_H
