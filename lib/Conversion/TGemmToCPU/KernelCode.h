//===- KernelCode.h - Shared by all CPU tile bodies -------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_CONVERSION_TGEMMTOCPU_KERNELCODE_H
#define GROUT_LIB_CONVERSION_TGEMMTOCPU_KERNELCODE_H

#include "grout/Conversion/Common/CPUTileBody.h"
#include "grout/Conversion/Common/SemaphoreLayout.h"
#include "grout/Dialect/TGemm/IR/TGemm.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/STLExtras.h"

namespace grout::cpu {

/// A part of a dimension: `size` elements from `begin` on, both of type index.
struct Extent {
  mlir::Value begin;
  mlir::Value size;
};

/// Returns elements [tile * tileSize, (tile + 1) * tileSize) of a dimension,
/// clipped to its extent. The size is a constant if the tile size divides the
/// extent.
Extent createTileExtent(mlir::OpBuilder &builder, mlir::Location loc,
                        mlir::Value tile, int64_t tileSize, int64_t extent);

/// Emits a nest of loops from 0 to each size. `emit` fills it, given the
/// induction variables. Without sizes, `emit` runs in place.
void createLoops(
    mlir::OpBuilder &builder, mlir::Location loc, mlir::ValueRange sizes,
    llvm::function_ref<void(mlir::OpBuilder &, mlir::ValueRange)> emit);

/// Emit an access to the element of `memref` that `map` returns for
/// `coordinates`.
mlir::Value createLoad(mlir::OpBuilder &builder, mlir::Location loc,
                       mlir::Value memref, mlir::AffineMap map,
                       mlir::ValueRange coordinates);
void createStore(mlir::OpBuilder &builder, mlir::Location loc,
                 mlir::Value value, mlir::Value memref, mlir::AffineMap map,
                 mlir::ValueRange coordinates);

/// Checks that `block`, the scalar code of `kernel`, uses only constants from
/// outside.
mlir::LogicalResult checkScalarBlock(mlir::Operation *kernel,
                                     mlir::Block &block);

/// Inlines scalar code that `checkScalarBlock` accepted. Its linalg.index ops
/// yield `coordinates`. Returns the operands of its terminator.
llvm::SmallVector<mlir::Value> inlineScalarBlock(mlir::OpBuilder &builder,
                                                 mlir::Block &block,
                                                 mlir::ValueRange arguments,
                                                 mlir::ValueRange coordinates);

/// An operand of a kernel: where its elements are, or their value.
struct KernelOperand {
  /// The place of the tensor. It has no buffer if nothing reads it.
  BufferView view;
  /// The value of all elements, if it is known; used instead of the view.
  mlir::TypedAttr splat;
};

/// The tensors of a kernel.
struct KernelTensors {
  llvm::SmallVector<KernelOperand> operands;
  llvm::SmallVector<BufferView> results;
};

/// Returns the product whose partial sums `op` computes. Fails with a
/// diagnostic if there is none.
mlir::FailureOr<tgemm::MatmulOp> getProduct(tgemm::PartialSumsOp op);

/// Check that the CPU has code for `op`, with a diagnostic if not.
mlir::LogicalResult checkMatmul(tgemm::MatmulOp op);
mlir::LogicalResult checkGroupedMatmul(tgemm::GroupedMatmulOp op);
mlir::LogicalResult checkConv2d(tgemm::Conv2dOp op);
mlir::LogicalResult checkAttention(tgemm::AttentionOp op);
mlir::LogicalResult checkLinalg(mlir::linalg::LinalgOp op);

/// Fill `body` with the code of one tile.
void emitMatmulTile(tgemm::MatmulOp op, const KernelTensors &tensors,
                    const SemaphoreLayout &layout, CPUTileBody &body);
void emitPartTile(tgemm::PartialSumsOp op, const KernelTensors &tensors,
                  const SemaphoreLayout &layout, CPUTileBody &body);
void emitGroupedMatmulTile(tgemm::GroupedMatmulOp op,
                           const KernelTensors &tensors,
                           const SemaphoreLayout &layout, CPUTileBody &body);
void emitConv2dTile(tgemm::Conv2dOp op, const KernelTensors &tensors,
                    const SemaphoreLayout &layout, CPUTileBody &body);
void emitAttentionTile(tgemm::AttentionOp op, const KernelTensors &tensors,
                       const SemaphoreLayout &layout, CPUTileBody &body);
void emitLinalgTile(mlir::linalg::LinalgOp op, const KernelTensors &tensors,
                    const SemaphoreLayout &layout, CPUTileBody &body);

} // namespace grout::cpu

#endif // GROUT_LIB_CONVERSION_TGEMMTOCPU_KERNELCODE_H
