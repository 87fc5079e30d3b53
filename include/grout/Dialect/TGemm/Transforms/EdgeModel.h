//===- EdgeModel.h - What waiting by tile is worth --------------*- C++ -*-===//
//
// Part of Grout. See docs/CostModel.md.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_DIALECT_TGEMM_TRANSFORMS_EDGEMODEL_H
#define GROUT_DIALECT_TGEMM_TRANSFORMS_EDGEMODEL_H

#include "grout/Dialect/TGemm/Transforms/ProductModel.h"
#include "grout/Dialect/TSync/Transforms/EdgeModel.h"

namespace grout::tgemm {

/// Models it for `kernel` by `model`, as tsync::EdgeModel does.
tsync::EdgeTimes modelEdges(TileKernelOpInterface kernel,
                            const ProductModel &model);

/// That of a target with products, whose model must live as long.
class ProductEdgeModel : public tsync::EdgeModel {
public:
  explicit ProductEdgeModel(const ProductModel &model) : model(model) {}

  tsync::EdgeTimes modelEdges(TileKernelOpInterface kernel) const override {
    return tgemm::modelEdges(kernel, model);
  }

private:
  const ProductModel &model;
};

/// Whether any of `ops` is modelled to be faster if it starts in order.
bool anyStartsInOrder(llvm::ArrayRef<ProductOpInterface> ops,
                      const ProductModel &model);

/// What the next tiles fill of what the last of several waves of `op` leaves
/// unused, in seconds.
double getFilledTime(ProductOpInterface op, const ProductModel &model);

} // namespace grout::tgemm

#endif // GROUT_DIALECT_TGEMM_TRANSFORMS_EDGEMODEL_H
