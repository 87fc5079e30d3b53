//===- KernelProblem.h - A kernel as a scheduling problem -------*- C++ -*-===//
//
// Part of Grout. The bridge from the scop dialect to the scheduling library.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_DIALECT_SCOP_ANALYSIS_KERNELPROBLEM_H
#define GROUT_DIALECT_SCOP_ANALYSIS_KERNELPROBLEM_H

#include "grout/Dialect/Scop/IR/Scop.h"
#include "grout/Scheduling/ConstraintTree.h"
#include "grout/Scheduling/SchedulingProblem.h"

namespace grout::scop {

/// The statements of `kernel`, their exact dependences, and their own order.
///
/// Dependences are named after their kind and their ends, as in `flow_S0_S1`;
/// one stands for all arrays. Flow is by value: from the last write of an
/// element before it is read. The instances of a reduction only depend on each
/// other by `reduction_S`; what comes before or after it depends on all of
/// them, as any may be the first or the last. Output and anti dependences that
/// others imply between the same statements are left out.
///
/// Fails with a diagnostic at the statement if an access is outside of its
/// array, or reads an element of a local that nothing has written, and with one
/// at the kernel if isl gives up within `maxOperations`.
mlir::FailureOr<SchedulingProblem> buildSchedulingProblem(
    KernelOp kernel, uint64_t maxOperations = IslContext::defaultMaxOperations);

/// The same, but no problem if isl gives up, which `reason` then says.
mlir::FailureOr<std::optional<SchedulingProblem>>
tryBuildSchedulingProblem(KernelOp kernel, uint64_t maxOperations,
                          std::string &reason);

/// Checks that all accesses of `kernel` are of elements of their arrays. Else
/// fails with a diagnostic at the statement; and also where a local is read
/// that nothing has written, unless that takes isl too long.
mlir::LogicalResult verifyAccesses(KernelOp kernel);

/// Proves that the schedule of `kernel` keeps its dependences, exactly, and
/// that it claims nothing wrong. Otherwise a diagnostic at the statement names
/// one pair of instances; none at all is an error, too.
mlir::LogicalResult verifySchedule(KernelOp kernel);

/// A schedule as plain data, and back.
Schedule toSchedule(ScheduleAttr attr);
ScheduleAttr toScheduleAttr(mlir::MLIRContext *context,
                            const Schedule &schedule);

/// The constraint tree of a kernel as plain data.
ConstraintTree toConstraintTree(TreeOp tree);

/// Adds `tree` to the kernel, which must not have one.
TreeOp createTree(KernelOp kernel, const ConstraintTree &tree);

} // namespace grout::scop

#endif // GROUT_DIALECT_SCOP_ANALYSIS_KERNELPROBLEM_H
