//===- UnconvertedOps.h - Names the ops that stay ---------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_CONVERSION_LINALGTOTGEMM_UNCONVERTEDOPS_H
#define GROUT_LIB_CONVERSION_LINALGTOTGEMM_UNCONVERTEDOPS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace grout {

/// Emits a remark at every linalg op of `function`, saying why it is not in a
/// `tgemm` op; unless `memoryBound` is set, only at those that are bound by
/// arithmetic.
void reportUnconverted(mlir::func::FuncOp function, bool memoryBound);

/// Refuses the linalg ops of the body of `function` that are tile kernels by
/// themselves and leave their tensors; and of its target, if it has one, those
/// that are bound by arithmetic and are no such tile kernels.
mlir::LogicalResult refuseUnconverted(mlir::func::FuncOp function);

} // namespace grout

#endif // GROUT_LIB_CONVERSION_LINALGTOTGEMM_UNCONVERTEDOPS_H
