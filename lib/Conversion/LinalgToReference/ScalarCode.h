//===- ScalarCode.h - Scalar code in higher precision -----------*- C++ -*-===//
//
// Part of Grout. Private to convert-linalg-to-reference.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_CONVERSION_LINALGTOREFERENCE_SCALARCODE_H
#define GROUT_LIB_CONVERSION_LINALGTOREFERENCE_SCALARCODE_H

#include "ReferenceKernel.h"
#include "grout/Conversion/Common/Accumulation.h"

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

/// The types of scalar code in higher precision.
struct Promotion {
  mlir::FloatType type;    // of all floats
  mlir::FloatType sumType; // but those in the chain of `sums`
  Accumulation sums;       // that are rounded when they are complete
  /// All sums, those of f32, too. What they are meanwhile need not be in the
  /// range of their type.
  Accumulation allSums;
};

/// Inlines `block`, in which findRefusal found nothing; conversions between
/// floating-point types vanish. What an op rounds to f16 or bf16 is rounded to
/// that, unless it is part of a sum, and infinite where f32 is, if the program
/// has an f32. `coordinates` are what linalg.index ops yield, and `gather`
/// emits what tensor.extract ops do. Returns what it yields.
llvm::SmallVector<mlir::Value>
inlinePromoted(mlir::OpBuilder &builder, mlir::Block &block,
               const Promotion &promotion, mlir::ValueRange arguments,
               mlir::ValueRange coordinates, EmitGather gather);

/// `value`, in the type that it has, rounded to the numbers of `type`, if that
/// is f16 or bf16.
mlir::Value roundTo(mlir::OpBuilder &builder, mlir::Location loc,
                    mlir::Value value, mlir::Type type);

/// `value`; infinity if `type` is f32 and `value` an f64 that f32 rounds to it.
mlir::Value limitTo(mlir::OpBuilder &builder, mlir::Location loc,
                    mlir::Value value, mlir::Type type);

/// `value`, a scalar or a tensor: of integers as it is, of floats with elements
/// of `type`; null if it is something else.
mlir::TypedAttr promoteConstant(mlir::TypedAttr value, mlir::FloatType type);

/// Expands what a GPU has no instruction for, in `module`, into polynomials
/// with a relative error below 3e-7.
mlir::LogicalResult expandMathForGPU(mlir::Operation *module);

} // namespace grout::reference

#endif // GROUT_LIB_CONVERSION_LINALGTOREFERENCE_SCALARCODE_H
