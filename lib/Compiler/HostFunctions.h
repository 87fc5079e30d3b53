//===- HostFunctions.h - Leaves out host functions --------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_COMPILER_HOSTFUNCTIONS_H
#define GROUT_LIB_COMPILER_HOSTFUNCTIONS_H

#include "mlir/IR/BuiltinOps.h"

namespace grout {

/// Removes host functions from `module`, if it has a public function on
/// tensors: functions that are private, or have no tensor in their signature,
/// and that no remaining function refers to. Keeps declarations.
void removeHostFunctions(mlir::ModuleOp module);

} // namespace grout

#endif // GROUT_LIB_COMPILER_HOSTFUNCTIONS_H
