//===- ShiftedVector.h - A vector out of two neighbouring ones --*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_CONVERSION_SCOPTOGPU_SHIFTEDVECTOR_H
#define GROUT_LIB_CONVERSION_SCOPTOGPU_SHIFTEDVECTOR_H

#include "EmitContext.h"

namespace grout::scop {

/// The bits of what a vector of elements of `type` is shifted by, first: a
/// word, or an element if it has more.
unsigned getUnitBits(mlir::Type type);

/// Elements `shift`, an i32 less than `size`, to `shift` + `size` of `units`,
/// which are 2 * `size` elements of `type`, as it is in memory. The shift is a
/// multiple of `step`.
Lanes emitShiftedVector(EmitContext &ctx, Lanes units, mlir::Type type,
                        int64_t size, mlir::Value shift, int64_t step);

} // namespace grout::scop

#endif // GROUT_LIB_CONVERSION_SCOPTOGPU_SHIFTEDVECTOR_H
