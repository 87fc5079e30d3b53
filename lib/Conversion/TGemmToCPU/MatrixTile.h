//===- MatrixTile.h - Steps of products of matrices -------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_CONVERSION_TGEMMTOCPU_MATRIXTILE_H
#define GROUT_LIB_CONVERSION_TGEMMTOCPU_MATRIXTILE_H

#include "ProductTile.h"

namespace grout::cpu {

/// A tile of a product whose operands are matrices, or tensors of several
/// matrices.
class MatrixTile : protected ProductTile {
protected:
  MatrixTile(tgemm::ProductOpInterface op, mlir::Operation *kernel,
             const KernelTensors &tensors, const SemaphoreLayout &layout,
             CPUTileBody &body);

  /// Adds the products of K step `step` to the accumulators.
  void emitStep(mlir::OpBuilder &builder, mlir::Value step);

  /// The number of the tile's matrix in operands with several.
  mlir::Value matrix;

private:
  void emitPack(mlir::OpBuilder &builder, mlir::Value rhs, Extent k);
  void emitUpdate(mlir::OpBuilder &builder, mlir::Value accumulator, Extent k);

  /// Returns element (row, column) of an operand's matrix as f32.
  mlir::Value loadOperand(mlir::OpBuilder &builder, mlir::Value operand,
                          bool transposed, mlir::Value row, mlir::Value column);
};

/// Checks that a tile of `op`, whose operands are matrices, fits local memory,
/// and that its epilogue uses nothing from outside.
mlir::LogicalResult checkMatrixTile(tgemm::ProductOpInterface op);

} // namespace grout::cpu

#endif // GROUT_LIB_CONVERSION_TGEMMTOCPU_MATRIXTILE_H
