//===- WidenedFactors.h - Factors of f32 that were narrower -----*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_DIALECT_TGEMM_TRANSFORMS_WIDENEDFACTORS_H
#define GROUT_LIB_DIALECT_TGEMM_TRANSFORMS_WIDENEDFACTORS_H

#include "grout/Dialect/TGemm/IR/TGemm.h"

namespace grout::tgemm {

/// If all factors of `op`, of f32, have been widened from f16, or all from
/// bf16, makes it multiply what they were, and returns true. Between the
/// widening and `op` may be reshapes, slices and transposes.
bool narrowFactors(MatmulOp op);

} // namespace grout::tgemm

#endif // GROUT_LIB_DIALECT_TGEMM_TRANSFORMS_WIDENEDFACTORS_H
