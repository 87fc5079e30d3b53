//===- ScalarCode.h - Scalar code in higher precision -----------*- C++ -*-===//
//
// Part of Grout. Private to convert-linalg-to-reference.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_CONVERSION_LINALGTOREFERENCE_SCALARCODE_H
#define GROUT_LIB_CONVERSION_LINALGTOREFERENCE_SCALARCODE_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace grout::reference {

/// Why the scalar code of a linalg op has no form in higher precision, at the
/// op that is the reason.
struct Refusal {
  mlir::Operation *op;
  std::string reason;
};

/// The first op in the body of `op` that cannot be promoted, or for a GPU not
/// be computed without a library.
std::optional<Refusal> findRefusal(mlir::linalg::LinalgOp op, bool forGPU);

/// Inlines `block`, in which findRefusal found nothing, with every
/// floating-point value in `type`; conversions between such types vanish.
/// `coordinates` are what linalg.index ops yield. Returns what it yields.
llvm::SmallVector<mlir::Value> inlinePromoted(mlir::OpBuilder &builder,
                                              mlir::Block &block,
                                              mlir::FloatType type,
                                              mlir::ValueRange arguments,
                                              mlir::ValueRange coordinates);

/// `value`, a scalar or a tensor: of integers as it is, of floats with elements
/// of `type`; null if it is something else.
mlir::TypedAttr promoteConstant(mlir::TypedAttr value, mlir::FloatType type);

/// Expands what a GPU has no instruction for, in `module`, into polynomials
/// with a relative error below 3e-7.
mlir::LogicalResult expandMathForGPU(mlir::Operation *module);

} // namespace grout::reference

#endif // GROUT_LIB_CONVERSION_LINALGTOREFERENCE_SCALARCODE_H
