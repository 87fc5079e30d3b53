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

/// Returns the factors of `index` in the order of memory.
FactorList flatten(const FactorIndex &index);

/// Returns the map from (b, h, i, d) to dimensions `dims` in the order of
/// memory, if each dimension is contiguous in `memory`.
std::optional<mlir::AffineMap> findLayout(llvm::ArrayRef<unsigned> memory,
                                          const AttentionDims &dims,
                                          mlir::MLIRContext *context);

/// Does the same with only those dimensions that `memory` has.
std::optional<mlir::AffineMap>
findProjectedLayout(llvm::ArrayRef<unsigned> memory, const AttentionDims &dims,
                    mlir::MLIRContext *context);

/// Returns the shape of a tensor with `layout`, which must not have constants.
llvm::SmallVector<int64_t> getShape(mlir::AffineMap layout,
                                    const AttentionDims &dims,
                                    const IndexFactors &factors);

/// Returns a view of `tensor`, whose shape is static, with `shape`, which has
/// as many elements.
mlir::Value reshapeTo(mlir::OpBuilder &builder, mlir::Location loc,
                      mlir::Value tensor, llvm::ArrayRef<int64_t> shape);

} // namespace grout

#endif // GROUT_LIB_CONVERSION_LINALGTOTGEMM_ATTENTIONVIEWS_H
