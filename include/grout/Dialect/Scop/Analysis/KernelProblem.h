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

/// Builds the scheduling problem of `kernel`: its statements, their exact
/// dependences, and their original order.
///
/// A dependence is named after its kind and its ends, as in `flow_S0_S1`, and
/// covers all arrays. Flow dependences are by value: from the last write of an
/// element before the read. The instances of a reduction depend on each other
/// only by `reduction_S`. Statements before or after a reduction have
/// dependences with all of its instances, because any of them may be the first
/// or the last. Output and anti dependences are left out if other dependences
/// between the same statements imply them.
///
/// Fails with a diagnostic at the statement if an access is outside of its
/// array, or reads an element of a local that no statement has written. Fails
/// with a diagnostic at the kernel if isl gives up within `maxOperations`.
mlir::FailureOr<SchedulingProblem> buildSchedulingProblem(
    KernelOp kernel, uint64_t maxOperations = IslContext::defaultMaxOperations);

/// Does the same, but if isl gives up, returns no problem, and sets `reason` to
/// the cause.
mlir::FailureOr<std::optional<SchedulingProblem>>
tryBuildSchedulingProblem(KernelOp kernel, uint64_t maxOperations,
                          std::string &reason);

/// Checks that all accesses of `kernel` are to elements of their arrays, and
/// that statements read only elements of locals that a statement has written.
/// Otherwise fails with a diagnostic at the statement. The second check is
/// skipped if it takes isl too long.
mlir::LogicalResult verifyAccesses(KernelOp kernel);

/// Proves that the schedule of `kernel` keeps its dependences, exactly, and
/// claims no property that it does not have. Otherwise fails with a diagnostic
/// at the statement that names one pair of instances. A kernel without a
/// schedule is an error, too.
mlir::LogicalResult verifySchedule(KernelOp kernel);

/// Convert a schedule to plain data, and back.
Schedule toSchedule(ScheduleAttr attr);
ScheduleAttr toScheduleAttr(mlir::MLIRContext *context,
                            const Schedule &schedule);

/// Returns the constraint tree of a kernel as plain data.
ConstraintTree toConstraintTree(TreeOp tree);

/// Adds `tree` to the kernel, which must not have one.
TreeOp createTree(KernelOp kernel, const ConstraintTree &tree);

} // namespace grout::scop

#endif // GROUT_DIALECT_SCOP_ANALYSIS_KERNELPROBLEM_H
