//===- EpilogueCone.h - The ops of a tgemm.matmul ---------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_CONVERSION_LINALGTOTGEMM_EPILOGUECONE_H
#define GROUT_LIB_CONVERSION_LINALGTOTGEMM_EPILOGUECONE_H

#include "Contraction.h"
#include "llvm/ADT/MapVector.h"

namespace grout {

/// The ops that one `tgemm.matmul` can compute: products, and the elementwise
/// ops that combine them into one result. Only the result is used by other ops,
/// so no product is computed twice.
struct EpilogueCone {
  /// In the order of the block. All of them can have the same tiles.
  llvm::SmallVector<const Contraction *> products;
  /// In the order of the block.
  llvm::SmallVector<mlir::linalg::LinalgOp> ops;
  mlir::Value result;
};

using ContractionMap = llvm::MapVector<mlir::Operation *, Contraction>;

/// Returns the largest cone over `product`. It includes other products of the
/// same lhs if elementwise ops combine them, as in gated layers.
EpilogueCone growCone(const Contraction &product,
                      const ContractionMap &contractions);

} // namespace grout

#endif // GROUT_LIB_CONVERSION_LINALGTOTGEMM_EPILOGUECONE_H
