//===- DistributeKernel.h - Several kernels of one --------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_DIALECT_SCOP_TRANSFORMS_DISTRIBUTEKERNEL_H
#define GROUT_LIB_DIALECT_SCOP_TRANSFORMS_DISTRIBUTEKERNEL_H

#include "grout/Dialect/Scop/IR/Scop.h"

namespace grout::scop {

/// Statements of one kernel, in their order.
using StatementGroup = llvm::SmallVector<StmtOp>;

/// Replaces `kernel`, which is on tensors, by a kernel for each of `groups`, in
/// order, with its part of the schedule if there is one. The order must be one
/// that dependences allow. Arrays that several groups use become tensors
/// between the kernels. Fails with a diagnostic if isl does.
mlir::LogicalResult distributeKernel(KernelOp kernel,
                                     llvm::ArrayRef<StatementGroup> groups);

} // namespace grout::scop

#endif // GROUT_LIB_DIALECT_SCOP_TRANSFORMS_DISTRIBUTEKERNEL_H
