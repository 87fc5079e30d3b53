//===- EdgeModel.h - The gain of waits by tile ------------------*- C++ -*-===//
//
// Part of Grout. See docs/CostModel.md.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_DIALECT_TGEMM_TRANSFORMS_EDGEMODEL_H
#define GROUT_DIALECT_TGEMM_TRANSFORMS_EDGEMODEL_H

#include "grout/Dialect/TGemm/Transforms/ProductModel.h"
#include "grout/Dialect/TSync/Transforms/EdgeModel.h"

namespace grout::tgemm {

/// Models the modes of edges to `kernel` with `model`, as tsync::EdgeModel
/// does.
tsync::EdgeTimes modelEdges(TileKernelOpInterface kernel,
                            const ProductModel &model);

/// The edge model of a target that has kernels of GEMMs. `model` must outlive
/// it.
class ProductEdgeModel : public tsync::EdgeModel {
public:
  explicit ProductEdgeModel(const ProductModel &model) : model(model) {}

  tsync::EdgeTimes modelEdges(TileKernelOpInterface kernel) const override {
    return tgemm::modelEdges(kernel, model);
  }

private:
  const ProductModel &model;
};

/// Returns whether, by the model, any of `ops` is faster if it starts in order.
bool anyStartsInOrder(llvm::ArrayRef<ProductOpInterface> ops,
                      const ProductModel &model);

/// Returns how much of the time that the last of several waves of `op` leaves
/// idle is used by the next tiles, in seconds.
double getFilledTime(ProductOpInterface op, const ProductModel &model);

} // namespace grout::tgemm

#endif // GROUT_DIALECT_TGEMM_TRANSFORMS_EDGEMODEL_H
