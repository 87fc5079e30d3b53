//===- TilingChoice.h - Chooses tilings -------------------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_DIALECT_TGEMM_TRANSFORMS_TILINGCHOICE_H
#define GROUT_LIB_DIALECT_TGEMM_TRANSFORMS_TILINGCHOICE_H

#include "grout/Dialect/TGemm/IR/TGemm.h"
#include "grout/Target/TargetSpec.h"

namespace grout::tgemm {

/// Chooses the tilings that are modelled to be the fastest on `target` for
/// those of `ops` that have none. With `oneKernel`, all of `ops` run in one
/// kernel, so that their tilings must agree on the cluster's size and fit the
/// registers that its warpgroups have. An op for which nothing fits gets no
/// tiling.
void chooseTilings(llvm::ArrayRef<MatmulOp> ops, const TargetSpec &target,
                   bool oneKernel);

/// Whether all tiles of `op`, with the tiling that it has, run on `target` at
/// once.
bool isOneWave(MatmulOp op, const TargetSpec &target);

} // namespace grout::tgemm

#endif // GROUT_LIB_DIALECT_TGEMM_TRANSFORMS_TILINGCHOICE_H
