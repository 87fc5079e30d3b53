//===- CallerModule.h - Parts of a caller's module --------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_COMPILER_CALLERMODULE_H
#define GROUT_LIB_COMPILER_CALLERMODULE_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace grout {

/// Returns a copy of the parts of `module` that Grout compiles, in the context
/// of `module`: functions, except host functions, and plans with their kernels.
/// Leaves out discardable attributes and metadata of locations that belong to
/// dialects that Grout does not know. Returns null, after a diagnostic, if a
/// remaining op belongs to such a dialect, or has types of such a dialect.
mlir::OwningOpRef<mlir::ModuleOp> copyForGrout(mlir::ModuleOp module);

} // namespace grout

#endif // GROUT_LIB_COMPILER_CALLERMODULE_H
