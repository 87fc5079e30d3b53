//===- EpilogueCone.h - What one tgemm.matmul computes ----------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_CONVERSION_LINALGTOTGEMM_EPILOGUECONE_H
#define GROUT_LIB_CONVERSION_LINALGTOTGEMM_EPILOGUECONE_H

#include "Contraction.h"
#include "llvm/ADT/MapVector.h"

namespace grout {

/// Products and the elementwise ops that turn them into one result: what one
/// `tgemm.matmul` can compute. Of all the values computed on the way, only the
/// result is used elsewhere, so that no product is computed twice.
struct EpilogueCone {
  /// In the order of the block; the tiles of all can be shared.
  llvm::SmallVector<const Contraction *> products;
  /// In the order of the block.
  llvm::SmallVector<mlir::linalg::LinalgOp> ops;
  mlir::Value result;
};

using ContractionMap = llvm::MapVector<mlir::Operation *, Contraction>;

/// The largest cone over `product`, with other products of the same lhs where
/// elementwise ops combine them, as in gated layers.
EpilogueCone growCone(const Contraction &product,
                      const ContractionMap &contractions);

} // namespace grout

#endif // GROUT_LIB_CONVERSION_LINALGTOTGEMM_EPILOGUECONE_H
