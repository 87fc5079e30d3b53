//===- OptionalRounding.h - Roundings that may be left out ------*- C++ -*-===//
//
// Part of Grout. Casts between f32 and f16 or bf16 that have the flag
// `contract` may be left out where one follows the other: that is what upstream
// folds, too.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_CONVERSION_COMMON_OPTIONALROUNDING_H
#define GROUT_CONVERSION_COMMON_OPTIONALROUNDING_H

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace grout {

/// Whether `op` is a rounding to f16 or bf16 that may be left out.
bool isOptionalRounding(mlir::Operation *op);

/// Lets `cast` be left out.
void setOptional(mlir::arith::ArithFastMathInterface cast);

} // namespace grout

#endif // GROUT_CONVERSION_COMMON_OPTIONALROUNDING_H
