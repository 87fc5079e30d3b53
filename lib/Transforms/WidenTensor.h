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

/// The op by which `op` rounds the elements of its one result from f32. Null if
/// it does not, or if it reads the tensor that it writes to.
mlir::arith::TruncFOp getLastRounding(mlir::linalg::GenericOp op);

/// Lets `op` yield f32 instead of what `rounding`, its last one, makes of it.
/// All who read the result, perhaps reshaped, are linalg.generic.
void widenTensor(mlir::linalg::GenericOp op, mlir::arith::TruncFOp rounding);

} // namespace grout

#endif // GROUT_LIB_TRANSFORMS_WIDENTENSOR_H
