//===- DecompositionBuilder.h - linalg that says what ops mean --*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_DIALECT_TGEMM_IR_DECOMPOSITIONBUILDER_H
#define GROUT_LIB_DIALECT_TGEMM_IR_DECOMPOSITIONBUILDER_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Builders.h"

namespace grout::tgemm {

/// Builds linalg ops, before one op of tgemm, that compute the same. Tensors of
/// intermediate results are of f32.
class DecompositionBuilder : public mlir::ImplicitLocOpBuilder {
public:
  using BodyBuilder =
      llvm::function_ref<mlir::Value(DecompositionBuilder &, mlir::ValueRange)>;
  using ImplicitLocOpBuilder::ImplicitLocOpBuilder;

  /// A scalar of f32.
  mlir::Value createFloat(float value);
  /// The scalar `value`, a float, as `type`.
  mlir::Value convert(mlir::Value value, mlir::Type type);

  mlir::Value createEmpty(llvm::ArrayRef<int64_t> shape, mlir::Type element);
  mlir::Value createFilled(llvm::ArrayRef<int64_t> shape, float value);
  /// The op that computes the elements of `init` by `body`, of an element of
  /// each of `inputs` and of `init`. `maps` are those of the inputs, then that
  /// of `init`; what it does not have is a reduction.
  mlir::Value createGeneric(mlir::ValueRange inputs, mlir::Value init,
                            llvm::ArrayRef<mlir::AffineMap> maps,
                            BodyBuilder body);
  /// Sums of products of elements of `lhs` and `rhs`, a tensor of `shape`. The
  /// maps are those of `lhs`, `rhs` and the result.
  mlir::Value createProduct(mlir::Value lhs, mlir::Value rhs,
                            llvm::ArrayRef<int64_t> shape,
                            llvm::ArrayRef<mlir::AffineMap> maps);
};

} // namespace grout::tgemm

#endif // GROUT_LIB_DIALECT_TGEMM_IR_DECOMPOSITIONBUILDER_H
