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
/// Functions that special units have become a few instructions: roots,
/// quotients, exponentials and erf, with errors of up to 3 units in the last
/// place of f32. With `roundsTo16Bits`, where results end up in 16 bits, so do
/// logarithms, which lose bits near 1, and tanh, with an error of 2^-11; exp is
/// shorter, and so are erf and quotients in 1 + erf(x) and 1 / (1 + exp(x)).
/// Other functions stay as they are, for expand-device-math. Sums and
/// products may be contracted. In a module with `grout.exact`, sums, products,
/// quotients and square roots are rounded each. Plain reference kernels do not
/// come through here, and stay accurate.
void emitDeviceOp(mlir::ImplicitLocOpBuilder &b, mlir::Operation &op,
                  mlir::IRMapping &mapping, bool roundsTo16Bits);

} // namespace grout

#endif // GROUT_CONVERSION_COMMON_DEVICEMATH_H
