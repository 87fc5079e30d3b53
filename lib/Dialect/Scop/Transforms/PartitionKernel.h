//===- PartitionKernel.h - Two kernels of one -------------------*- C++ -*-===//
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

/// Adds to `late` the statements that have to come after one of it.
void addDependentStatements(KernelOp kernel, StatementSet &late);

/// Replaces `kernel`, on tensors and without a schedule, by one with the
/// statements that are not in `late`, and another after it with those that are,
/// which include all that depend on them. What both need is a result of the
/// first; but the second computes an array itself, where that moves no more
/// bytes. Statements keep their names. The first kernel is null if nothing of
/// it is needed.
mlir::FailureOr<std::pair<KernelOp, KernelOp>>
partitionKernel(KernelOp kernel, const StatementSet &late);

} // namespace grout::scop

#endif // GROUT_LIB_DIALECT_SCOP_TRANSFORMS_PARTITIONKERNEL_H
