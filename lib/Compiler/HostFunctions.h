//===- HostFunctions.h - Functions that stay the caller's -------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_COMPILER_HOSTFUNCTIONS_H
#define GROUT_LIB_COMPILER_HOSTFUNCTIONS_H

#include "mlir/IR/BuiltinOps.h"

namespace grout {

/// Removes from `module` what is not to be compiled, if it has a public
/// function on tensors: the functions that are private, or have no tensor in
/// their signature, and that none of the others refers to. Declarations stay.
void removeHostFunctions(mlir::ModuleOp module);

} // namespace grout

#endif // GROUT_LIB_COMPILER_HOSTFUNCTIONS_H
