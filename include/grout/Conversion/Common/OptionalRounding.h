//===- OptionalRounding.h - Roundings that may be left out ------*- C++ -*-===//
//
// Part of Grout. A cast between f32 and f16 or bf16 may have the flag
// `contract`. Two such casts may then be left out if one follows the other.
// MLIR's own patterns fold them under the same condition.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_CONVERSION_COMMON_OPTIONALROUNDING_H
#define GROUT_CONVERSION_COMMON_OPTIONALROUNDING_H

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace grout {

/// Whether `op` is a rounding to f16 or bf16 that may be left out.
bool isOptionalRounding(mlir::Operation *op);

/// Marks `cast` as one that may be left out.
void setOptional(mlir::arith::ArithFastMathInterface cast);

} // namespace grout

#endif // GROUT_CONVERSION_COMMON_OPTIONALROUNDING_H
