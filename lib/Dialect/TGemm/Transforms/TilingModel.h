//===- TilingModel.h - Chooses tile shapes ----------------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_DIALECT_TGEMM_TRANSFORMS_TILINGMODEL_H
#define GROUT_LIB_DIALECT_TGEMM_TRANSFORMS_TILINGMODEL_H

#include "grout/Dialect/TGemm/IR/TGemm.h"
#include "grout/Target/TargetSpec.h"

namespace grout::tgemm {

/// The tiling that is modelled to be the fastest for `op` on `target`. If the
/// target has none for `op`, a small one whose problem says why.
TilingAttr chooseTiling(MatmulOp op, const TargetSpec &target);

} // namespace grout::tgemm

#endif // GROUT_LIB_DIALECT_TGEMM_TRANSFORMS_TILINGMODEL_H
