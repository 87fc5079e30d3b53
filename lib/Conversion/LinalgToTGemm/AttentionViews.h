//===- AttentionViews.h - Tensors of attention in memory --------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_CONVERSION_LINALGTOTGEMM_ATTENTIONVIEWS_H
#define GROUT_LIB_CONVERSION_LINALGTOTGEMM_ATTENTIONVIEWS_H

#include "ScalarExpr.h"
#include <array>

namespace grout {

/// The indices (b, h, i, d), or (b, h, i, j), as lists of factors.
using AttentionDims = std::array<FactorList, 4>;

/// What is indexed by `index` in the order of memory.
FactorList flatten(const FactorIndex &index);

/// The order in memory of dimensions `dims`, if each is in one piece in
/// `memory`: from (b, h, i, d) to all of them.
std::optional<mlir::AffineMap> findLayout(llvm::ArrayRef<unsigned> memory,
                                          const AttentionDims &dims,
                                          mlir::MLIRContext *context);

/// The same with only those dimensions that `memory` has.
std::optional<mlir::AffineMap>
findProjectedLayout(llvm::ArrayRef<unsigned> memory, const AttentionDims &dims,
                    mlir::MLIRContext *context);

/// The shape of a tensor with `layout`, which has no constants.
llvm::SmallVector<int64_t> getShape(mlir::AffineMap layout,
                                    const AttentionDims &dims,
                                    const IndexFactors &factors);

/// `tensor`, of a static shape, with another of as many elements: a view.
mlir::Value reshapeTo(mlir::OpBuilder &builder, mlir::Location loc,
                      mlir::Value tensor, llvm::ArrayRef<int64_t> shape);

} // namespace grout

#endif // GROUT_LIB_CONVERSION_LINALGTOTGEMM_ATTENTIONVIEWS_H
