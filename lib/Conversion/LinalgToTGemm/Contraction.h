//===- Contraction.h - linalg ops that are matrix products ------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_CONVERSION_LINALGTOTGEMM_CONTRACTION_H
#define GROUT_LIB_CONVERSION_LINALGTOTGEMM_CONTRACTION_H

#include "grout/Dialect/TGemm/IR/TGemm.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include <optional>
#include <string>

namespace grout {

/// A linalg op that computes `init + lhs x rhs`, as `tgemm.matmul` does; or an
/// op that is a product already, such as a `tgemm.conv2d`.
struct Contraction {
  mlir::Operation *op;
  mlir::Value lhs, rhs;
  bool transposeLhs = false, transposeRhs = false;
  /// The initial value of the sums; null if that is zero.
  mlir::Value init;

  /// Returns the tiling that the op asks for; null if it asks for none.
  tgemm::TilingAttr getTiling() const;

  /// Whether both multiply the same lhs by a rhs of the same shape, and ask for
  /// the same tiling. Then they can be one `tgemm.matmul` with several
  /// accumulators.
  bool canShareTilesWith(const Contraction &other) const;
};

/// The reason why an op is not converted.
struct Refusal {
  std::string reason;
  /// Whether no later pass could compute the op either.
  bool isError = false;
};

/// Matches matrix products in any form: named ops, `linalg.contract` and
/// `linalg.generic`. Operands are the sources of ops that only move elements
/// (transposes, broadcasts over the batch), as far as `tgemm.matmul` can
/// express the product with them.
///
/// A body that accumulates in f16 or bf16 matches: accumulating in f32 instead
/// only avoids rounding errors.
mlir::FailureOr<Contraction> matchContraction(mlir::linalg::LinalgOp op,
                                              Refusal &refusal);

/// An input of a product: a tensor, and the map from loops to the element that
/// they read.
struct IndexedInput {
  mlir::Value value;
  mlir::AffineMap map;
};

/// If the op that defines `input` only moves elements, returns the source of
/// that op.
std::optional<IndexedInput> skipMove(const IndexedInput &input);

/// Checks the operand and result types of a matrix product or convolution.
mlir::LogicalResult checkProductTypes(mlir::linalg::LinalgOp op,
                                      Refusal &refusal);

/// Checks that the body of `op` is `acc + ext(lhs) * ext(rhs)`.
mlir::LogicalResult checkProductBody(mlir::linalg::LinalgOp op,
                                     Refusal &refusal);

/// Returns the initial value of the sums of `op`; null if that is zero. Fails
/// if it is undefined.
mlir::FailureOr<mlir::Value> getProductInit(mlir::linalg::LinalgOp op,
                                            Refusal &refusal);

/// Whether `op` sums up products of two tensors, starting from zero, in loops
/// of any number and order, and asks for no tiles.
bool isSumOfProducts(mlir::linalg::LinalgOp op);

} // namespace grout

#endif // GROUT_LIB_CONVERSION_LINALGTOTGEMM_CONTRACTION_H
