//===- ShiftedVector.h - Vectors out of neighbours --------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_CONVERSION_SCOPTOGPU_SHIFTEDVECTOR_H
#define GROUT_LIB_CONVERSION_SCOPTOGPU_SHIFTEDVECTOR_H

#include "EmitContext.h"

namespace grout::scop {

/// Returns the bits of the units by which a vector of elements of `type` is
/// shifted first: a word, or an element if that is larger.
unsigned getUnitBits(mlir::Type type);

/// Returns elements [shift, shift + size) of `units`, which are 2 * `size`
/// elements of the memory type `type`. `shift` is an i32 below `size`, and a
/// multiple of `step`.
Lanes emitShiftedVector(EmitContext &ctx, Lanes units, mlir::Type type,
                        int64_t size, mlir::Value shift, int64_t step);

} // namespace grout::scop

#endif // GROUT_LIB_CONVERSION_SCOPTOGPU_SHIFTEDVECTOR_H
