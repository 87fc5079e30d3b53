//===- VectorEmitter.h - A vector of instances ------------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_CONVERSION_SCOPTOLOOPS_VECTOREMITTER_H
#define GROUT_LIB_CONVERSION_SCOPTOLOOPS_VECTOREMITTER_H

#include "grout/Conversion/ScopToLoops/StatementEmitter.h"
#include "grout/Conversion/ScopToLoops/VectorAccess.h"

namespace grout::scop {

/// Returns the first op of a statement that has no vector form, or null.
mlir::Operation *findScalarOp(StmtOp statement);

/// Emits several instances of `statement` as one computation on vectors, with
/// one instance in each lane. `reads` and `writes` are the kinds of its
/// accesses.
void emitVectorInstance(mlir::OpBuilder &builder, StmtOp statement,
                        llvm::ArrayRef<Instance> lanes,
                        const mlir::IRMapping &arrays,
                        llvm::ArrayRef<VectorAccessKind> reads,
                        llvm::ArrayRef<VectorAccessKind> writes);

} // namespace grout::scop

#endif // GROUT_LIB_CONVERSION_SCOPTOLOOPS_VECTOREMITTER_H
