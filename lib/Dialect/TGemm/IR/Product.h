//===- Product.h - What all products share ----------------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_DIALECT_TGEMM_IR_PRODUCT_H
#define GROUT_LIB_DIALECT_TGEMM_IR_PRODUCT_H

#include "grout/Dialect/TGemm/IR/TGemm.h"

namespace grout::tgemm {

/// Checks that offsets in bytes into all tensors of `op` fit 64 bits.
mlir::LogicalResult verifySizes(mlir::Operation *op);

/// Checks the inputs of the epilogue against `maps`, which reads them, and that
/// there is a region where one is needed.
mlir::LogicalResult verifyEpilogue(ProductOpInterface op, mlir::ArrayAttr maps);

/// Checks that the epilogue's region takes what it is given, and computes an
/// element of the result of it.
mlir::LogicalResult verifyEpilogueBody(ProductOpInterface op);

/// The grid of tiles, how many steps each has, and how many of them one block
/// of a cluster runs, as TileKernelOpInterface defines them.
mlir::FailureOr<llvm::SmallVector<int64_t>> getTileGrid(ProductOpInterface op);
int64_t getStepCount(ProductOpInterface op);
std::optional<int64_t> getStepsInOrder(ProductOpInterface op);

/// What a tile writes, and what it reads of input `index` of the epilogue: that
/// is once, at the coordinates of the result.
TileAccess getResultAccess(ProductOpInterface op);
TileAccess getEpilogueAccess(ProductOpInterface op, unsigned index);

/// The work of a tile that sums up `depth` products for each element, of
/// `factorBytes` of all factors.
TileWork getProductWork(ProductOpInterface op, int64_t depth,
                        int64_t factorBytes);

} // namespace grout::tgemm

#endif // GROUT_LIB_DIALECT_TGEMM_IR_PRODUCT_H
