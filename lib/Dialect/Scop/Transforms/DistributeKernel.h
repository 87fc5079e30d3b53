//===- DistributeKernel.h - Several kernels of one --------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_DIALECT_SCOP_TRANSFORMS_DISTRIBUTEKERNEL_H
#define GROUT_LIB_DIALECT_SCOP_TRANSFORMS_DISTRIBUTEKERNEL_H

#include "grout/Dialect/Scop/IR/Scop.h"
#include "llvm/ADT/SetVector.h"

namespace grout::scop {

/// Statements of one kernel, in their order.
using StatementGroup = llvm::SmallVector<StmtOp>;

/// Replaces `kernel`, which is on tensors, by a kernel for each of `groups`, in
/// order, with its part of the schedule if there is one. The order must be one
/// that dependences allow. A local that a group writes and a later one reads
/// becomes a tensor between the kernels, unless it is one of `own`: each group
/// that reads one of these has all statements that write it. Returns the
/// kernels; null is one that computes nothing that others need. Fails with a
/// diagnostic if isl does.
mlir::FailureOr<llvm::SmallVector<KernelOp>>
distributeKernel(KernelOp kernel, llvm::ArrayRef<StatementGroup> groups,
                 const llvm::SetVector<mlir::Value> &own = {});

} // namespace grout::scop

#endif // GROUT_LIB_DIALECT_SCOP_TRANSFORMS_DISTRIBUTEKERNEL_H
