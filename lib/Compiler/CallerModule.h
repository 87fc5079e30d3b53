//===- CallerModule.h - What is compiled of a caller's module ---*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_COMPILER_CALLERMODULE_H
#define GROUT_LIB_COMPILER_CALLERMODULE_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace grout {

/// A copy of `module`, in its context, of what is Grout's business: functions,
/// without host functions, and plans with their kernels. Discardable attributes
/// and metadata of locations that Grout has no dialect for are left out. Null,
/// after a diagnostic, if what is to be compiled has ops or types of such
/// dialects.
mlir::OwningOpRef<mlir::ModuleOp> copyForGrout(mlir::ModuleOp module);

} // namespace grout

#endif // GROUT_LIB_COMPILER_CALLERMODULE_H
