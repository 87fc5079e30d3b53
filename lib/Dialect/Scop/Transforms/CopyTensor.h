//===- CopyTensor.h - A tensor with memory of its own -----------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_DIALECT_SCOP_TRANSFORMS_COPYTENSOR_H
#define GROUT_LIB_DIALECT_SCOP_TRANSFORMS_COPYTENSOR_H

#include "mlir/IR/Builders.h"

namespace grout::scop {

/// A linalg.copy of `tensor`, of static shape, to a new one.
mlir::Value createCopy(mlir::OpBuilder &builder, mlir::Location loc,
                       mlir::Value tensor);

} // namespace grout::scop

#endif // GROUT_LIB_DIALECT_SCOP_TRANSFORMS_COPYTENSOR_H
