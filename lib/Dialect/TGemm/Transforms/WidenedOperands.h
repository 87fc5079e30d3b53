//===- WidenedOperands.h - f32 operands that were widened --------*- C++
//-*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_DIALECT_TGEMM_TRANSFORMS_WIDENEDOPERANDS_H
#define GROUT_LIB_DIALECT_TGEMM_TRANSFORMS_WIDENEDOPERANDS_H

#include "grout/Dialect/TGemm/IR/TGemm.h"

namespace grout::tgemm {

/// If all operands A and B of `op` are f32 values that were widened from f16,
/// or all from bf16, makes `op` multiply the narrow values, and returns true.
/// There may be reshapes, slices and transposes between the widening and `op`.
bool narrowOperands(MatmulOp op);

} // namespace grout::tgemm

#endif // GROUT_LIB_DIALECT_TGEMM_TRANSFORMS_WIDENEDOPERANDS_H
