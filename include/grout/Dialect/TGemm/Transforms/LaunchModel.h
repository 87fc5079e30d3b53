//===- LaunchModel.h - Products that share a launch -------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_DIALECT_TGEMM_TRANSFORMS_LAUNCHMODEL_H
#define GROUT_DIALECT_TGEMM_TRANSFORMS_LAUNCHMODEL_H

#include "grout/Dialect/TGemm/Transforms/ProductModel.h"
#include <vector>

namespace grout::tgemm {

/// A product, and all tilings that it may get. One that has its tiling has
/// that alone.
struct OpTilings {
  ProductOpInterface op;
  std::vector<ModelledTiling> tilings;
};

/// A tiling for each product of a launch, and how long it then takes, in
/// seconds.
struct ModelledLaunch {
  llvm::SmallVector<TilingAttr> tilings;
  double seconds;
};

/// How long a tile of `tiling` of `op` takes, in seconds.
double modelTile(ProductOpInterface op, TilingAttr tiling, KernelStart start,
                 const ProductModel &model);

/// How long all processors would be busy with `op` in the tiling with the least
/// work, if that could be shared out evenly, in seconds: no launch of it and
/// others takes less than the sum of theirs.
double getLeastWork(const OpTilings &op, const ProductModel &model);

/// How long one launch of `ops` takes, none of which needs another, with
/// `tilings`: as long as the last of its blocks is busy if each takes the next
/// tile when it has done one, the longest first, and no less than the cache and
/// memory take for all. In seconds.
double modelLaunch(llvm::ArrayRef<ProductOpInterface> ops,
                   llvm::ArrayRef<TilingAttr> tilings, KernelStart start,
                   const ProductModel &model);

/// The tilings with which one launch of `ops` is the fastest, if any go
/// together in one kernel and take less than `most` seconds. Beside others, a
/// product is better in fewer tiles than alone, so tilings are compared by the
/// time that all of their tiles take.
std::optional<ModelledLaunch>
chooseLaunch(llvm::ArrayRef<const OpTilings *> ops, double most,
             const ProductModel &model);

} // namespace grout::tgemm

#endif // GROUT_DIALECT_TGEMM_TRANSFORMS_LAUNCHMODEL_H
