//===- DistributeKernel.h - Splits a kernel into several --------*- C++ -*-===//
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

/// Replaces `kernel`, which is on tensors, by one kernel for each of `groups`,
/// in their order, which dependences must allow. Each kernel gets its part of
/// the schedule, if there is one.
///
/// A local that a group writes and a later group reads becomes a tensor between
/// the kernels. Locals of `own` do not: each group that reads one of these must
/// have all statements that write it. Returns the kernels; a kernel is null if
/// nothing uses its results. Fails with a diagnostic if isl does.
mlir::FailureOr<llvm::SmallVector<KernelOp>>
distributeKernel(KernelOp kernel, llvm::ArrayRef<StatementGroup> groups,
                 const llvm::SetVector<mlir::Value> &own = {});

} // namespace grout::scop

#endif // GROUT_LIB_DIALECT_SCOP_TRANSFORMS_DISTRIBUTEKERNEL_H
