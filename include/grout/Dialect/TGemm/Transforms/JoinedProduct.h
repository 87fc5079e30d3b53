//===- JoinedProduct.h - Products side by side ------------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_DIALECT_TGEMM_TRANSFORMS_JOINEDPRODUCT_H
#define GROUT_DIALECT_TGEMM_TRANSFORMS_JOINEDPRODUCT_H

#include "grout/Dialect/TGemm/IR/TGemm.h"
#include "mlir/IR/OwningOpRef.h"

namespace grout::tgemm {

/// Whether products of one lhs are alike but for their columns, so that
/// together they take as long as one that has the columns of all.
bool canJoin(MatmulOp first, MatmulOp second);

/// That one, to ask a model about. It is in no program: its operands have types
/// alone.
class JoinedProduct {
public:
  /// `ops`, of which all can join the first.
  explicit JoinedProduct(llvm::ArrayRef<MatmulOp> ops);

  ProductOpInterface get() { return product.get(); }

private:
  /// What the operands are.
  mlir::Block arguments;
  mlir::OwningOpRef<MatmulOp> product;
};

} // namespace grout::tgemm

#endif // GROUT_DIALECT_TGEMM_TRANSFORMS_JOINEDPRODUCT_H
