//===- CopyTensor.h - A tensor with memory of its own -----------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_DIALECT_SCOP_TRANSFORMS_COPYTENSOR_H
#define GROUT_LIB_DIALECT_SCOP_TRANSFORMS_COPYTENSOR_H

#include "mlir/IR/Builders.h"

namespace grout::scop {

/// Creates a linalg.copy of `tensor`, whose shape is static, to a new tensor.
mlir::Value createCopy(mlir::OpBuilder &builder, mlir::Location loc,
                       mlir::Value tensor);

} // namespace grout::scop

#endif // GROUT_LIB_DIALECT_SCOP_TRANSFORMS_COPYTENSOR_H
