//===- DeviceMath.h - Scalar math on a GPU ----------------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_CONVERSION_COMMON_DEVICEMATH_H
#define GROUT_CONVERSION_COMMON_DEVICEMATH_H

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace grout {

/// Copies `op`, on scalars of f16, bf16, f32 or integers, and maps its result.
/// Functions that special units have become one or two instructions: roots,
/// quotients, exponentials and logarithms with errors of a few units in the
/// last place of f32, for arguments that are not huge. With `roundsTo16Bits`,
/// where results end up in 16 bits, so does tanh, with an error of 2^-11, and
/// erf and quotients are shorter in 1 + erf(x) and 1 / (1 + exp(x)). Sums and
/// products may be contracted. In a module with `grout.exact`, sums, products,
/// quotients and square roots are rounded each. Plain reference kernels do not
/// come through here, and stay accurate.
void emitDeviceOp(mlir::ImplicitLocOpBuilder &b, mlir::Operation &op,
                  mlir::IRMapping &mapping, bool roundsTo16Bits);

} // namespace grout

#endif // GROUT_CONVERSION_COMMON_DEVICEMATH_H
