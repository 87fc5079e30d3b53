//===- TensorOps.h - Padding and insertions as linalg ops -------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_CONVERSION_LINALGTOSCOP_TENSOROPS_H
#define GROUT_LIB_CONVERSION_LINALGTOSCOP_TENSOROPS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace grout::scop {

/// Replaces tensor.pad and tensor.insert_slice by a linalg.generic each, which
/// computes every element of the result once. Those and tensor.extract_slice
/// must have static positions and extents; what does not is an error.
mlir::LogicalResult convertTensorOps(mlir::func::FuncOp function);

} // namespace grout::scop

#endif // GROUT_LIB_CONVERSION_LINALGTOSCOP_TENSOROPS_H
