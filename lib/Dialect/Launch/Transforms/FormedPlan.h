//===- FormedPlan.h - A plan as it was formed -------------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_DIALECT_LAUNCH_TRANSFORMS_FORMEDPLAN_H
#define GROUT_LIB_DIALECT_LAUNCH_TRANSFORMS_FORMEDPLAN_H

#include "grout/Dialect/Launch/IR/Launch.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/OwningOpRef.h"

namespace grout::launch {

/// What may be done by a policy, for errors.
constexpr llvm::StringLiteral kAllowedToPolicies =
    " of launch-schedule; a policy may move launches, add edges, and choose "
    "branches, and triggers where there are none";

/// A copy of a plan before a policy schedules it, to compare with.
class FormedPlan {
public:
  explicit FormedPlan(PlanOp plan);

  /// Checks that the plan has the launches and buffers that it was formed with,
  /// as they were but for edges and for triggers that nobody had chosen, and
  /// that launches which access a buffer do so in the order in which they did.
  /// Fails with a diagnostic that names `policy`.
  mlir::LogicalResult verify(llvm::StringRef policy);

private:
  mlir::LogicalResult verifyOps(llvm::StringRef policy);
  mlir::LogicalResult verifyAccesses(llvm::StringRef policy);
  bool isUnchanged(mlir::Operation *op, mlir::Operation *copy);

  PlanOp plan;
  mlir::IRMapping mapping;
  mlir::OwningOpRef<PlanOp> formed;
  /// The ops of the plan, as they stood in it, and the copy of each. A policy
  /// may have erased the former.
  llvm::SmallVector<std::pair<mlir::Operation *, mlir::Operation *>> ops;
};

} // namespace grout::launch

#endif // GROUT_LIB_DIALECT_LAUNCH_TRANSFORMS_FORMEDPLAN_H
