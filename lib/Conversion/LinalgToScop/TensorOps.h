//===- TensorOps.h - Padding and insertions as linalg ops -------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_CONVERSION_LINALGTOSCOP_TENSOROPS_H
#define GROUT_LIB_CONVERSION_LINALGTOSCOP_TENSOROPS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace grout::scop {

/// Replaces each tensor.pad and tensor.insert_slice by a linalg.generic that
/// computes every element of the result once. These ops, and
/// tensor.extract_slice, must have static positions and extents; otherwise
/// emits an error.
mlir::LogicalResult convertTensorOps(mlir::func::FuncOp function);

} // namespace grout::scop

#endif // GROUT_LIB_CONVERSION_LINALGTOSCOP_TENSOROPS_H
