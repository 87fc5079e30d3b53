//===- PartitionKernel.h - Splits a kernel into two -------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_DIALECT_SCOP_TRANSFORMS_PARTITIONKERNEL_H
#define GROUT_LIB_DIALECT_SCOP_TRANSFORMS_PARTITIONKERNEL_H

#include "grout/Dialect/Scop/IR/Scop.h"
#include "llvm/ADT/SetVector.h"

namespace grout::scop {

using StatementSet = llvm::SetVector<StmtOp>;

/// Adds to `late` the statements that have to come after a statement of `late`.
void addDependentStatements(KernelOp kernel, StatementSet &late);

/// Replaces `kernel` by two kernels: the first has the statements that are not
/// in `late`, and the second those that are. `kernel` must be on tensors,
/// without a schedule, and `late` must include all statements that depend on
/// one of it. Arrays that both need are results of the first kernel, unless it
/// moves no more bytes if the second computes them itself. Statements keep
/// their names. The first kernel is null if nothing uses its results.
mlir::FailureOr<std::pair<KernelOp, KernelOp>>
partitionKernel(KernelOp kernel, const StatementSet &late);

} // namespace grout::scop

#endif // GROUT_LIB_DIALECT_SCOP_TRANSFORMS_PARTITIONKERNEL_H
