//===- JoinedProduct.h - GEMMs side by side ---------------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_DIALECT_TGEMM_TRANSFORMS_JOINEDPRODUCT_H
#define GROUT_DIALECT_TGEMM_TRANSFORMS_JOINEDPRODUCT_H

#include "grout/Dialect/TGemm/IR/TGemm.h"
#include "mlir/IR/OwningOpRef.h"

namespace grout::tgemm {

/// Returns whether two GEMMs with the same operand A differ only in their
/// columns. Such GEMMs together take as long as one GEMM that has the columns
/// of all.
bool canJoin(MatmulOp first, MatmulOp second);

/// A GEMM that has the columns of several GEMMs, to pass to a model. It is in
/// no program: its operands only have types.
class JoinedProduct {
public:
  /// All of `ops` must be GEMMs that can join the first.
  explicit JoinedProduct(llvm::ArrayRef<MatmulOp> ops);

  ProductOpInterface get() { return product.get(); }

private:
  /// The arguments of this block are the operands.
  mlir::Block arguments;
  mlir::OwningOpRef<MatmulOp> product;
};

} // namespace grout::tgemm

#endif // GROUT_DIALECT_TGEMM_TRANSFORMS_JOINEDPRODUCT_H
