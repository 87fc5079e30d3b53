//===- PassTarget.h - The target that a pass is for -------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_TARGET_PASSTARGET_H
#define GROUT_TARGET_PASSTARGET_H

#include "grout/Target/TargetSpec.h"
#include "mlir/IR/Operation.h"

namespace grout {

/// The target called `name`, or a diagnostic at `op` if there is none.
inline mlir::FailureOr<TargetSpec> findTarget(mlir::Operation *op,
                                              llvm::StringRef name) {
  std::optional<TargetSpec> spec = lookupTarget(name);
  if (!spec)
    return op->emitError() << "unknown target '" << name << "'";
  return *spec;
}

/// The GPU called `name`, or a diagnostic at `op` if there is none.
inline mlir::FailureOr<TargetSpec> findGPU(mlir::Operation *op,
                                           llvm::StringRef name) {
  std::optional<TargetSpec> spec = lookupTarget(name);
  if (!spec || !spec->isGPU)
    return op->emitError() << "'" << name << "' is not a GPU";
  return *spec;
}

} // namespace grout

#endif // GROUT_TARGET_PASSTARGET_H
