//===- UnconvertedOps.h - Reports ops that stay -----------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_CONVERSION_LINALGTOTGEMM_UNCONVERTEDOPS_H
#define GROUT_LIB_CONVERSION_LINALGTOTGEMM_UNCONVERTEDOPS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace grout {

/// Emits a remark at every linalg op of `function` that says why it is not in a
/// `tgemm` op. Without `memoryBound`, does so only for compute-bound ops.
void reportUnconverted(mlir::func::FuncOp function, bool memoryBound);

/// Refuses linalg ops in the body of `function` that are tile kernels
/// themselves and access elements outside of their tensors. If the function has
/// a target, also refuses compute-bound linalg ops that are no tile kernels.
mlir::LogicalResult refuseUnconverted(mlir::func::FuncOp function);

} // namespace grout

#endif // GROUT_LIB_CONVERSION_LINALGTOTGEMM_UNCONVERTEDOPS_H
