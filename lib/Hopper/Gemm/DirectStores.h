//===- DirectStores.h - Results that TMA cannot store -----------*- C++ -*-===//
//
// Part of Grout. TMA cannot store rows that do not start and end at multiples
// of 16 bytes, such as the rows of a vocabulary of 50,257 words; nor the rows
// of a buffer up to the end of a group of rows. The threads of a consumer
// warpgroup then copy the staging buffer that they have filled. Neighbouring
// threads copy neighbouring elements.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_HOPPER_GEMM_DIRECTSTORES_H
#define GROUT_LIB_HOPPER_GEMM_DIRECTSTORES_H

#include "grout/Hopper/Gemm/GemmContext.h"

namespace grout::hopper {

/// Whether all rows of the staging buffer whose first element is at `place` are
/// in the task's group of rows, an i1.
mlir::Value emitIsWhole(const GemmContext &context, const BodyPlan &body,
                        const TaskValues &task, GemmContext::MmaPlace place);

/// Copies the staging buffer at byte `buffer` of shared memory to the result,
/// as far as it lies in the result. `place` is the place of its first element.
/// All threads of the warpgroup that has filled the buffer must execute this
/// code, after all of them have filled it.
void emitDirectStores(const GemmContext &context, const BodyPlan &body,
                      const TaskValues &task, mlir::Value buffer,
                      GemmContext::MmaPlace place);

} // namespace grout::hopper

#endif // GROUT_LIB_HOPPER_GEMM_DIRECTSTORES_H
