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

/// The changes that a policy may make, for error messages.
constexpr llvm::StringLiteral kAllowedToPolicies =
    " of launch-schedule; a policy may move launches, add edges, and choose "
    "branches, and triggers where there are none";

/// A copy of a plan before a policy schedules it, with which the scheduled plan
/// is compared.
class FormedPlan {
public:
  explicit FormedPlan(PlanOp plan);

  /// Checks that the plan has the launches and buffers with which it was
  /// formed, and that they differ only in edges, and in triggers that were not
  /// chosen yet. Also checks that launches which access the same buffer keep
  /// their order. Fails with a diagnostic that names `policy`.
  mlir::LogicalResult verify(llvm::StringRef policy);

private:
  mlir::LogicalResult verifyOps(llvm::StringRef policy);
  mlir::LogicalResult verifyAccesses(llvm::StringRef policy);
  bool isUnchanged(mlir::Operation *op, mlir::Operation *copy);

  PlanOp plan;
  mlir::IRMapping mapping;
  mlir::OwningOpRef<PlanOp> formed;
  /// The ops of the plan in their order, each with its copy. A policy may have
  /// erased the op, but not the copy.
  llvm::SmallVector<std::pair<mlir::Operation *, mlir::Operation *>> ops;
};

} // namespace grout::launch

#endif // GROUT_LIB_DIALECT_LAUNCH_TRANSFORMS_FORMEDPLAN_H
