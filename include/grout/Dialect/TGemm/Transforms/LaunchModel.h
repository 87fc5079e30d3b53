//===- LaunchModel.h - GEMMs that share a launch ----------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_DIALECT_TGEMM_TRANSFORMS_LAUNCHMODEL_H
#define GROUT_DIALECT_TGEMM_TRANSFORMS_LAUNCHMODEL_H

#include "grout/Dialect/TGemm/Transforms/ProductModel.h"
#include <vector>

namespace grout::tgemm {

/// A GEMM, and all tilings that it may get. If it has a tiling already, this is
/// the only one.
struct OpTilings {
  ProductOpInterface op;
  std::vector<ModelledTiling> tilings;
};

/// A tiling for each GEMM of a launch, and the time of the launch with these
/// tilings, in seconds.
struct ModelledLaunch {
  llvm::SmallVector<TilingAttr> tilings;
  double seconds;
};

/// Returns the time that a tile of `tiling` of `op` takes, in seconds.
double modelTile(ProductOpInterface op, TilingAttr tiling, KernelStart start,
                 const ProductModel &model);

/// Returns the time that `op` takes if its tiles have the tiling with the least
/// work, and all processors are busy all the time, in seconds. A launch of
/// several GEMMs takes at least the sum of their times.
double getLeastWork(const OpTilings &op, const ProductModel &model);

/// Returns the time that one launch of `ops` with `tilings` takes, in seconds.
/// None of `ops` may need another. The model assumes that each block takes the
/// next tile when it has finished one, the longest tiles first. The time is
/// that of the last block, and at least the time that the cache and memory take
/// for all tiles.
double modelLaunch(llvm::ArrayRef<ProductOpInterface> ops,
                   llvm::ArrayRef<TilingAttr> tilings, KernelStart start,
                   const ProductModel &model);

/// Returns the tilings with which one launch of `ops` is the fastest, if some
/// tilings fit into one kernel and take less than `most` seconds. Beside other
/// GEMMs, a GEMM is better in fewer tiles than alone. So tilings are compared
/// by the time that all of their tiles take.
std::optional<ModelledLaunch>
chooseLaunch(llvm::ArrayRef<const OpTilings *> ops, double most,
             const ProductModel &model);

} // namespace grout::tgemm

#endif // GROUT_DIALECT_TGEMM_TRANSFORMS_LAUNCHMODEL_H
