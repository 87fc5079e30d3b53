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

/// A linalg op seen as `init + lhs x rhs`, which is what `tgemm.matmul` needs;
/// or an op that is a product by itself, such as a `tgemm.conv2d`.
struct Contraction {
  mlir::Operation *op;
  mlir::Value lhs, rhs;
  bool transposeLhs = false, transposeRhs = false;
  /// What the sums start from; null if that is zero.
  mlir::Value init;

  /// The tiling that the op asks for; null if that is any.
  tgemm::TilingAttr getTiling() const;

  /// Whether both multiply one lhs by rhs of one shape, and ask for the same
  /// tiling, so that they can be one `tgemm.matmul` with several accumulators.
  bool canShareTilesWith(const Contraction &other) const;
};

/// Why an op is not converted.
struct Refusal {
  std::string reason;
  /// Whether no later pass could compute the op either.
  bool isError = false;
};

/// Matches matrix products of any spelling: named ops, `linalg.contract` and
/// `linalg.generic`. Operands are looked up behind ops that only move elements
/// (transposes, broadcasts over the batch) as far as that leaves a product that
/// `tgemm.matmul` can express.
///
/// A body that accumulates in f16 or bf16 matches: accumulating in f32 instead
/// only loses rounding errors.
mlir::FailureOr<Contraction> matchContraction(mlir::linalg::LinalgOp op,
                                              Refusal &refusal);

/// An input of a product: a tensor, and which element a loop iteration reads.
struct IndexedInput {
  mlir::Value value;
  mlir::AffineMap map;
};

/// If `input` is defined by an op that only moves elements, what it moves.
std::optional<IndexedInput> skipMove(const IndexedInput &input);

/// Checks the types of what a matrix product or convolution works on.
mlir::LogicalResult checkProductTypes(mlir::linalg::LinalgOp op,
                                      Refusal &refusal);

/// Checks that the body of `op` is `acc + ext(lhs) * ext(rhs)`.
mlir::LogicalResult checkProductBody(mlir::linalg::LinalgOp op,
                                     Refusal &refusal);

/// What the sums of `op` start from; null if that is zero. Fails if it is
/// undefined.
mlir::FailureOr<mlir::Value> getProductInit(mlir::linalg::LinalgOp op,
                                            Refusal &refusal);

/// Whether `op` sums up products of two tensors, from zero on, in loops of any
/// number and order; and asks for no tiles.
bool isSumOfProducts(mlir::linalg::LinalgOp op);

} // namespace grout

#endif // GROUT_LIB_CONVERSION_LINALGTOTGEMM_CONTRACTION_H
