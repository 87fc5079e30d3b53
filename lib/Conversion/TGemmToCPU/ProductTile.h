//===- ProductTile.h - Shared by tiles of products --------------*- C++ -*-===//
//
// Part of Grout. The sums of a tile in a local array, and its epilogue.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_CONVERSION_TGEMMTOCPU_PRODUCTTILE_H
#define GROUT_LIB_CONVERSION_TGEMMTOCPU_PRODUCTTILE_H

#include "KernelCode.h"
#include "grout/Conversion/TGemmToCPU/KernelSync.h"

namespace grout::cpu {

/// A tile of one product. Its steps sum up `depth` elements of the reduction at
/// a time.
///
/// A step packs these elements of a rhs (operand B) into a local f32 array.
/// This converts and transposes them once instead of once for each row. The
/// updates that follow go along contiguous rows, so that LLVM vectorises them.
/// The sums of such a part of the reduction are computed separately, and then
/// added to the sums so far. So the error of a long sum is that of the sum of a
/// part, plus that of a sum with as many terms as there are parts.
class ProductTile {
protected:
  /// `kernel` is `op`, or the op that computes its partial sums.
  ProductTile(tgemm::ProductOpInterface op, mlir::Operation *kernel,
              int64_t depth, const KernelTensors &tensors,
              const SemaphoreLayout &layout, CPUTileBody &body);

  /// Sets the rows and columns of the tile at `tileRow` and `tileColumn`.
  void setPlace(mlir::Value tileRow, mlir::Value tileColumn);

  void emitClear(mlir::OpBuilder &builder);
  /// Adds products to row `m` of `accumulator`: those of `depth` elements of
  /// operand A, which `loadOperandA` returns as f32, with the rows of the
  /// panel.
  void
  emitRowUpdate(mlir::OpBuilder &builder, mlir::Value accumulator,
                mlir::Value depth, mlir::Value m,
                llvm::function_ref<mlir::Value(mlir::OpBuilder &, mlir::Value)>
                    loadOperandA);
  void emitEpilogue(mlir::OpBuilder &builder);

  /// Returns an element of `memref` as f32.
  mlir::Value loadElement(mlir::OpBuilder &builder, mlir::Value memref,
                          mlir::ValueRange at);
  mlir::Value add(mlir::OpBuilder &builder, mlir::Value a, mlir::Value b);

  tgemm::ProductOpInterface op;
  CPUTileBody &body;
  /// The size of a tile, which is at most that of the product; and the number
  /// of rows of the panel.
  int64_t tileM, tileN, depth;
  KernelSync sync;
  llvm::SmallVector<mlir::Value> operands; // as memrefs
  mlir::Value result;
  llvm::SmallVector<mlir::Value> accumulators;
  mlir::Value panel; // depth x tileN elements of a rhs
  Extent rows, columns;

private:
  /// Returns (b, m, n), or (m, n), of element (m, n) of the tile.
  llvm::SmallVector<mlir::Value> getCoordinates(mlir::OpBuilder &builder,
                                                mlir::Value m, mlir::Value n);

  mlir::Value row; // tileN sums of a part
};

/// Checks that a tile of `op` fits local memory, and that its epilogue uses
/// nothing from outside.
mlir::LogicalResult checkProductTile(tgemm::ProductOpInterface op,
                                     int64_t depth);

} // namespace grout::cpu

#endif // GROUT_LIB_CONVERSION_TGEMMTOCPU_PRODUCTTILE_H
