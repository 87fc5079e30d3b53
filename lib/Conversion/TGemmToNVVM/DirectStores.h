//===- DirectStores.h - Results that TMA cannot store -----------*- C++ -*-===//
//
// Part of Grout. Rows that do not start and end at multiples of 16 bytes, such
// as those of a vocabulary of 50,257 words: the threads of a consumer warpgroup
// copy the staging buffer that they have filled, neighbouring threads
// neighbouring elements.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_CONVERSION_TGEMMTONVVM_DIRECTSTORES_H
#define GROUT_LIB_CONVERSION_TGEMMTONVVM_DIRECTSTORES_H

#include "grout/Conversion/TGemmToNVVM/KernelContext.h"

namespace grout::hopper {

/// What to flip in the byte address of an element in row `row` (an i32) of a
/// staging buffer, where rows start at multiples of their size: 16-byte part p
/// of row r lies at p ^ (r mod 8) in rows of 128 bytes, coarser in smaller
/// ones, and at p in those of 16.
mlir::Value getSwizzle(DeviceBuilder &b, const ResultPlan &result,
                       mlir::Value row);

/// Copies the staging buffer at byte `buffer` of shared memory, as far as it is
/// in the result, to where `place`, of its first element, says. For all threads
/// of the warpgroup that has filled it, once all have.
void emitDirectStores(const KernelContext &context, const BodyPlan &body,
                      const TileTask &task, mlir::Value buffer,
                      KernelContext::MmaPlace place);

} // namespace grout::hopper

#endif // GROUT_LIB_CONVERSION_TGEMMTONVVM_DIRECTSTORES_H
