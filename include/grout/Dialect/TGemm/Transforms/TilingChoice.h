//===- TilingChoice.h - Chooses tilings -------------------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_DIALECT_TGEMM_TRANSFORMS_TILINGCHOICE_H
#define GROUT_DIALECT_TGEMM_TRANSFORMS_TILINGCHOICE_H

#include "grout/Dialect/TGemm/IR/TGemm.h"
#include "grout/Dialect/TGemm/Transforms/ProductModel.h"
#include "grout/Dialect/TSync/IR/TSync.h"

namespace grout::tgemm {

/// Returns the fastest of the `tilings` that `isAllowed` admits. Among equally
/// fast tilings it returns the first, which is the simplest. Null if there is
/// none.
const ModelledTiling *
findFastest(llvm::ArrayRef<ModelledTiling> tilings,
            llvm::function_ref<bool(TilingAttr)> isAllowed);

/// Returns how each of `ops`, the GEMMs of a chain in order, starts in `mode`.
/// GEMMs that share a launch start as one.
llvm::SmallVector<KernelStart>
getKernelStarts(llvm::ArrayRef<ProductOpInterface> ops, tsync::Mode mode);

/// Chooses tilings for those of `ops` that have none: the fastest ones in
/// `mode`, by `model`. In mode `persistent`, all of `ops` run in one kernel. So
/// their tilings must have the same cluster size, and fit the registers of the
/// kernel's warpgroups. In other modes, each op has a kernel of its own. An op
/// that no tiling fits gets none.
void chooseTilings(llvm::ArrayRef<ProductOpInterface> ops, tsync::Mode mode,
                   const ProductModel &model);

/// How GEMMs run: in a mode, and, with `overlap` or `pdl`, maybe with the mode
/// that suits each dependence.
struct Execution {
  tsync::Mode mode;
  bool selectsEdges = false;
};

/// Chooses tilings as chooseTilings does, and the mode in which `ops`, which
/// depend on each other, are the fastest by the model. The mode may be `pdl`,
/// or have modes of edges. Unless other kernels part the ops (`areParted`), it
/// may also be `serial` or `persistent`. If the model has no times, it is
/// `persistent`.
Execution chooseExecution(llvm::ArrayRef<ProductOpInterface> ops,
                          const ProductModel &model, bool areParted);

} // namespace grout::tgemm

#endif // GROUT_DIALECT_TGEMM_TRANSFORMS_TILINGCHOICE_H
