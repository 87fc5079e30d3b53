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

/// Copies `op`, on scalars of f16, bf16, f32 or integers, and maps its result
/// in `mapping`.
///
/// Roots, quotients, exponentials and erf become a few instructions for the
/// special function units, with errors of up to 3 units in the last place of
/// f32. Set `roundsTo16Bits` if results end up in 16 bits. Then logarithms,
/// which lose bits near 1, and tanh, with an error of 2^-11, become such
/// instructions, too. Also, exp is shorter, and so are erf in 1 + erf(x) and
/// quotients in 1 / (1 + exp(x)).
///
/// All other functions stay as they are, for expand-device-math. Sums and
/// products may be contracted. But if the module has `grout.exact`, each sum,
/// product, quotient and square root is rounded by itself. The kernels of
/// reference plans do not use this function, and stay accurate.
void emitDeviceOp(mlir::ImplicitLocOpBuilder &b, mlir::Operation &op,
                  mlir::IRMapping &mapping, bool roundsTo16Bits);

} // namespace grout

#endif // GROUT_CONVERSION_COMMON_DEVICEMATH_H
