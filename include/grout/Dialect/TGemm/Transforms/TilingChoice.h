//===- TilingChoice.h - Chooses tilings -------------------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_DIALECT_TGEMM_TRANSFORMS_TILINGCHOICE_H
#define GROUT_DIALECT_TGEMM_TRANSFORMS_TILINGCHOICE_H

#include "grout/Dialect/TGemm/IR/TGemm.h"
#include "grout/Dialect/TGemm/Transforms/TilingModel.h"
#include "grout/Target/TargetSpec.h"

namespace grout::tgemm {

/// What a kernel's blocks look like, as far as tilings must agree on it.
struct KernelForm {
  int64_t clusterSize;
  /// Blocks that share out the steps of a tile, where any do.
  int64_t splits;
  /// Consumer warpgroups of a block.
  int64_t warpgroups;
};

/// The forms that are considered, in order of preference.
llvm::ArrayRef<KernelForm> getKernelForms();

/// Whether tiles of `tiling` can be computed by blocks of `form`.
bool fits(MatmulOp op, TilingAttr tiling, const KernelForm &form);

/// Whether one kernel can compute all of `ops`, each with its own of `tilings`.
bool canShareKernel(llvm::ArrayRef<MatmulOp> ops,
                    llvm::ArrayRef<TilingAttr> tilings);

/// How kernel `position` of a chain of `count` products starts in `mode`.
KernelStart getKernelStart(size_t position, size_t count, llvm::StringRef mode);

/// Chooses the tilings that are modelled to be the fastest in `mode` on
/// `target` for those of `ops` that have none. In mode `persistent`, all of
/// `ops` run in one kernel, so that their tilings must agree on the cluster's
/// size and fit the registers that its warpgroups have; in others, in kernels
/// of their own. An op for which nothing fits gets no tiling.
void chooseTilings(llvm::ArrayRef<MatmulOp> ops, llvm::StringRef mode,
                   const TargetSpec &target);

/// Chooses tilings as chooseTilings does, and the mode in which `ops`, which
/// depend on each other, are modelled to be the fastest with theirs: `pdl`,
/// `by_launch` or `by_edge` (tsync::kByLaunch and kByEdge) or, unless other
/// kernels part them, `serial` or `persistent`; on a CPU the last.
llvm::StringRef chooseMode(llvm::ArrayRef<MatmulOp> ops,
                           const TargetSpec &target, bool areParted);

} // namespace grout::tgemm

#endif // GROUT_DIALECT_TGEMM_TRANSFORMS_TILINGCHOICE_H
