//===- Product.h - Shared by matmuls and convolutions -----------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_DIALECT_TGEMM_IR_PRODUCT_H
#define GROUT_LIB_DIALECT_TGEMM_IR_PRODUCT_H

#include "grout/Dialect/TGemm/IR/TGemm.h"

namespace grout::tgemm {

/// Checks that 64 bits can hold byte offsets into all tensors of `op`.
mlir::LogicalResult verifySizes(mlir::Operation *op);

/// Checks the inputs of the epilogue against `maps`, by which they are read,
/// and checks that there is a region if one is needed.
mlir::LogicalResult verifyEpilogue(ProductOpInterface op, mlir::ArrayAttr maps);

/// Checks that the arguments of the epilogue's region match the accumulators
/// and epilogue inputs, and that it yields an element of the result.
mlir::LogicalResult verifyEpilogueBody(ProductOpInterface op);

/// Return the grid of tiles, the number of K steps of a tile, and the number of
/// these that one block of a cluster runs, as TileKernelOpInterface defines
/// them.
mlir::FailureOr<llvm::SmallVector<int64_t>> getTileGrid(ProductOpInterface op);
int64_t getStepCount(ProductOpInterface op);
std::optional<int64_t> getStepsInOrder(ProductOpInterface op);

/// Return the elements that a tile writes, and the elements that it reads of
/// input `index` of the epilogue. It reads those once, at the coordinates of
/// the result.
TileAccess getResultAccess(ProductOpInterface op);
TileAccess getEpilogueAccess(ProductOpInterface op, unsigned index);

/// Returns the work of a tile that sums up `depth` products for each element,
/// and reads `operandBytes` bytes of all operands A and B.
TileWork getProductWork(ProductOpInterface op, int64_t depth,
                        int64_t operandBytes);

} // namespace grout::tgemm

#endif // GROUT_LIB_DIALECT_TGEMM_IR_PRODUCT_H
