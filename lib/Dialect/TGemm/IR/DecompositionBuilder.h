//===- DecompositionBuilder.h - Builds linalg for tgemm ops -----*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_DIALECT_TGEMM_IR_DECOMPOSITIONBUILDER_H
#define GROUT_LIB_DIALECT_TGEMM_IR_DECOMPOSITIONBUILDER_H

#include "grout/Dialect/TGemm/IR/TGemm.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Builders.h"

namespace grout::tgemm {

/// Builds linalg ops, before one op of tgemm, that compute the same.
/// Intermediate results are f32 tensors.
class DecompositionBuilder : public mlir::ImplicitLocOpBuilder {
public:
  using BodyBuilder =
      llvm::function_ref<mlir::Value(DecompositionBuilder &, mlir::ValueRange)>;
  using ImplicitLocOpBuilder::ImplicitLocOpBuilder;

  /// Returns an f32 constant.
  mlir::Value createFloat(float value);
  /// Converts the float scalar `value` to `type`.
  mlir::Value convert(mlir::Value value, mlir::Type type);

  mlir::Value createEmpty(llvm::ArrayRef<int64_t> shape, mlir::Type element);
  mlir::Value createFilled(llvm::ArrayRef<int64_t> shape, float value);
  /// Creates a linalg.generic. `body` computes an element of `init` from an
  /// element of each of `inputs` and the old element of `init`. `maps` has the
  /// maps of `inputs` and then that of `init`; dimensions that are not in the
  /// latter are reductions.
  mlir::Value createGeneric(mlir::ValueRange inputs, mlir::Value init,
                            llvm::ArrayRef<mlir::AffineMap> maps,
                            BodyBuilder body);
  /// Creates a tensor of `shape` with sums of products of elements of `lhs` and
  /// `rhs`. The maps are those of `lhs`, `rhs` and the result.
  mlir::Value createProduct(mlir::Value lhs, mlir::Value rhs,
                            llvm::ArrayRef<int64_t> shape,
                            llvm::ArrayRef<mlir::AffineMap> maps);
};

/// Applies the epilogue of `op` to the accumulators `sums`. The result has the
/// shape of the result of `op`.
mlir::Value emitEpilogue(DecompositionBuilder &b, ProductOpInterface op,
                         mlir::ValueRange sums);

} // namespace grout::tgemm

#endif // GROUT_LIB_DIALECT_TGEMM_IR_DECOMPOSITIONBUILDER_H
