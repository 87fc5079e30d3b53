//===- ThreadReduction.h - Combines values of threads -----------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_CONVERSION_SCOPTOGPU_THREADREDUCTION_H
#define GROUT_LIB_CONVERSION_SCOPTOGPU_THREADREDUCTION_H

#include "SharedMemory.h"
#include "grout/Dialect/Scop/ThreadMapping/ThreadMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace grout::scop {

/// Emits the combination of `a` and `b` by `combiner`.
mlir::Value emitCombination(mlir::OpBuilder &builder, mlir::Operation *combiner,
                            mlir::Value a, mlir::Value b);

/// Combines `lanes` of all inner threads with the same outer thread, always in
/// the same order, and returns the results in all of them. All threads of the
/// block must run this code. Fails with a diagnostic at `op`.
mlir::FailureOr<llvm::SmallVector<mlir::Value>> emitThreadReduction(
    mlir::ImplicitLocOpBuilder &b, StmtOp op, mlir::Operation *combiner,
    llvm::ArrayRef<mlir::Value> lanes, const ThreadMapping &mapping,
    mlir::Value outerThread, mlir::Value innerThread, SharedMemory &shared);

} // namespace grout::scop

#endif // GROUT_LIB_CONVERSION_SCOPTOGPU_THREADREDUCTION_H
