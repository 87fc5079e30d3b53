//===- Members.h - What can be part of a scop kernel ------------*- C++ -*-===//
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

/// The map from indices of the result of a view to those of its source.
mlir::AffineMap getViewMap(mlir::Operation *view);

/// Whether `op`, of linalg or a tensor.scatter, becomes statements of a kernel.
/// Ops of linalg that are bound by arithmetic stay, with a remark.
bool isStatement(mlir::Operation *op);

/// Reports what makes it impossible to convert `op`, which is a statement.
mlir::LogicalResult checkStatement(mlir::Operation *op);

/// What `value` is a view of, or itself.
mlir::Value getViewed(mlir::Value value);

/// The ops that make the tensors from which `op` takes elements at places that
/// it computes, and the views between.
llvm::SmallVector<mlir::Operation *> getGathered(mlir::Operation *op);

/// The constant that a scalar, or all elements of a tensor, are; or null.
mlir::TypedAttr getScalarConstant(mlir::Value value);

} // namespace grout::scop

#endif // GROUT_LIB_CONVERSION_LINALGTOSCOP_MEMBERS_H
