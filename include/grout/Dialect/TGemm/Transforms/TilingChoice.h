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

/// The fastest of `tilings` among those that `isAllowed` admits; among equals
/// the simplest, which is first. Null if there is none.
const ModelledTiling *
findFastest(llvm::ArrayRef<ModelledTiling> tilings,
            llvm::function_ref<bool(TilingAttr)> isAllowed);

/// How each of `ops`, the products of a chain in their order, starts in `mode`.
/// Those that share a launch start as one.
llvm::SmallVector<KernelStart>
getKernelStarts(llvm::ArrayRef<ProductOpInterface> ops, tsync::Mode mode);

/// Chooses the tilings that are modelled to be the fastest in `mode` on
/// the target of `model` for those of `ops` that have none. In mode
/// `persistent`, all of `ops` run in one kernel, so that their tilings must
/// agree on the cluster's size and fit the registers that its warpgroups have;
/// in others, in kernels of their own. An op for which nothing fits gets no
/// tiling.
void chooseTilings(llvm::ArrayRef<ProductOpInterface> ops, tsync::Mode mode,
                   const ProductModel &model);

/// How products run: in a mode, and, with `overlap` or `pdl`, perhaps each
/// dependence in the mode that suits it.
struct Execution {
  tsync::Mode mode;
  bool selectsEdges = false;
};

/// Chooses tilings as chooseTilings does, and how `ops`, which depend on each
/// other, are modelled to be the fastest with theirs: `pdl`, or with modes of
/// edges, or, unless other kernels part them, `serial` or `persistent`; the
/// last where no times are modelled.
Execution chooseExecution(llvm::ArrayRef<ProductOpInterface> ops,
                          const ProductModel &model, bool areParted);

} // namespace grout::tgemm

#endif // GROUT_DIALECT_TGEMM_TRANSFORMS_TILINGCHOICE_H
