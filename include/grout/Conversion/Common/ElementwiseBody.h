//===- ElementwiseBody.h - linalg ops that an epilogue can hold -*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_CONVERSION_COMMON_ELEMENTWISEBODY_H
#define GROUT_CONVERSION_COMMON_ELEMENTWISEBODY_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include <string>

namespace grout {

/// A tensor that an elementwise op reads.
struct ElementRead {
  mlir::OpOperand *operand;
  /// Maps an element of the op's result to the element of the operand.
  mlir::AffineMap map;
};

/// Whether `op` computes each element of its one result from single elements of
/// other tensors and from constants, by pure `arith` and `math` ops. Takes any
/// structured op, since named ops have a body, too.
bool isElementwise(mlir::linalg::LinalgOp op);

/// Says why isElementwise(`op`) is false; empty if it is true.
std::string findElementwiseProblem(mlir::linalg::LinalgOp op);

/// Returns the tensors that an elementwise op reads. An output is among them
/// only if the body uses it.
llvm::SmallVector<ElementRead> getReads(mlir::linalg::LinalgOp op);

/// Clones the body of an elementwise op. `read` gives the element of each
/// operand. Returns the element of the result.
mlir::Value
inlineBody(mlir::OpBuilder &builder, mlir::linalg::LinalgOp op,
           llvm::function_ref<mlir::Value(const ElementRead &)> read);

} // namespace grout

#endif // GROUT_CONVERSION_COMMON_ELEMENTWISEBODY_H
