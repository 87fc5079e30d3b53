//===- TilingModel.h - How long tilings take --------------------*- C++ -*-===//
//
// Part of Grout. See docs/CostModel.md.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_DIALECT_TGEMM_TRANSFORMS_TILINGMODEL_H
#define GROUT_LIB_DIALECT_TGEMM_TRANSFORMS_TILINGMODEL_H

#include "grout/Dialect/TGemm/IR/TGemm.h"
#include "grout/Target/TargetSpec.h"
#include <vector>

namespace grout::tgemm {

/// A tiling, and how long all tiles of an op take with it, without the launch.
struct ModelledTiling {
  TilingAttr tiling;
  double seconds;
};

/// All tilings of `op` that are worth a thought on `target`, the simplest
/// first. Empty if the target has none for `op`.
std::vector<ModelledTiling> modelTilings(MatmulOp op, const TargetSpec &target);

/// The modelled time of `op` in tiles of `tiling`, in seconds.
double getModelledTime(MatmulOp op, TilingAttr tiling,
                       const TargetSpec &target);

} // namespace grout::tgemm

#endif // GROUT_LIB_DIALECT_TGEMM_TRANSFORMS_TILINGMODEL_H
