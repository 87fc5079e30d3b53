//===- CollectiveBody.h - Tiles that exchange data on CPUs ------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_CONVERSION_COLLECTIVETOCPU_COLLECTIVEBODY_H
#define GROUT_LIB_CONVERSION_COLLECTIVETOCPU_COLLECTIVEBODY_H

#include "grout/Conversion/TGemmToCPU/TileBodyGenerator.h"
#include "grout/Dialect/Collective/IR/Collective.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace grout::cpu {

/// The operands that all ranks have given: dense tensors of the same shape.
struct GivenOperands {
  /// The context of the tile.
  mlir::Value context;
  /// The address of each, in the order of the ranks.
  llvm::SmallVector<mlir::Value> addresses;
  llvm::ArrayRef<int64_t> shape;
  mlir::Type elementType;

  /// Emits the number of this rank, of index type.
  mlir::Value emitOwnRank(mlir::ImplicitLocOpBuilder &b) const;
  /// Emits a load of the element at `indices` of the operand of `rank`.
  mlir::Value emitLoad(mlir::ImplicitLocOpBuilder &b, unsigned rank,
                       llvm::ArrayRef<mlir::Value> indices) const;
};

/// Makes the single tile of a collective op. The tile gives its operand to all
/// ranks. Subclasses make the result of what all ranks have given.
class CollectiveBody : public TileBodyGenerator {
public:
  mlir::LogicalResult emit(TileKernelOpInterface kernel, LaunchTensors &tensors,
                           const SemaphoreLayout &layout,
                           CPUTileBody &body) const override;
  launch::ExchangeAttr getExchange(mlir::Operation *kernel) const override;

protected:
  /// Emits the result of `op` into `result`, a memref.
  virtual void emitResult(mlir::ImplicitLocOpBuilder &b,
                          collective::CollectiveOpInterface op,
                          const GivenOperands &given,
                          mlir::Value result) const = 0;
};

/// Emits loops over `shape`, and `body` inside, with an index for each
/// dimension.
void emitLoops(mlir::ImplicitLocOpBuilder &b, llvm::ArrayRef<int64_t> shape,
               llvm::function_ref<void(llvm::ArrayRef<mlir::Value>)> body);

/// Returns `indices`, moved by `distance` in dimension `dim`.
llvm::SmallVector<mlir::Value> emitMoved(mlir::ImplicitLocOpBuilder &b,
                                         llvm::ArrayRef<mlir::Value> indices,
                                         uint64_t dim, mlir::Value distance);

} // namespace grout::cpu

#endif // GROUT_LIB_CONVERSION_COLLECTIVETOCPU_COLLECTIVEBODY_H
