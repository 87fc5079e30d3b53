//===- StatementEmitter.h - One instance of a statement ---------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_CONVERSION_SCOPTOLOOPS_STATEMENTEMITTER_H
#define GROUT_CONVERSION_SCOPTOLOOPS_STATEMENTEMITTER_H

#include "grout/Dialect/Scop/IR/Scop.h"
#include "mlir/IR/IRMapping.h"

namespace grout::scop {

/// The point of a statement's domain to execute: for each iterator, an
/// expression of `operands`, which are indices.
struct Instance {
  llvm::SmallVector<mlir::AffineExpr> iterators;
  llvm::SmallVector<mlir::Value> operands;
};

/// Emits the indices to which `map` maps the iterators.
llvm::SmallVector<mlir::Value> emitIndices(mlir::OpBuilder &builder,
                                           mlir::Location loc,
                                           mlir::AffineMap map,
                                           const Instance &instance);

/// Emits the value of one iterator.
mlir::Value emitIterator(mlir::OpBuilder &builder, IndexOp index,
                         const Instance &instance);

/// Emits the loads, the region and the stores of an instance. `arrays` maps the
/// kernel's arrays and scalars to values of the emitted code.
void emitInstance(mlir::OpBuilder &builder, StmtOp statement,
                  const Instance &instance, const mlir::IRMapping &arrays);

} // namespace grout::scop

#endif // GROUT_CONVERSION_SCOPTOLOOPS_STATEMENTEMITTER_H
