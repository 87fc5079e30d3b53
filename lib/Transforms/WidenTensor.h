//===- WidenTensor.h - Tensors that become f32 ------------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_TRANSFORMS_WIDENTENSOR_H
#define GROUT_LIB_TRANSFORMS_WIDENTENSOR_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace grout {

/// Returns the op by which `op` rounds the elements of its only result from
/// f32. Returns null if there is none, or if `op` reads the tensor to which it
/// writes.
mlir::arith::TruncFOp getLastRounding(mlir::linalg::GenericOp op);

/// Makes `op` yield the f32 operand of `rounding`, its last rounding. All ops
/// that read the result, directly or after reshapes, must be linalg.generic.
void widenTensor(mlir::linalg::GenericOp op, mlir::arith::TruncFOp rounding);

} // namespace grout

#endif // GROUT_LIB_TRANSFORMS_WIDENTENSOR_H
