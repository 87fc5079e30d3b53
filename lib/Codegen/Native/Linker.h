//===- Linker.h - Links a shared object with a system's linker --*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_CODEGEN_NATIVE_LINKER_H
#define GROUT_LIB_CODEGEN_NATIVE_LINKER_H

#include "mlir/IR/Location.h"
#include "llvm/ADT/SmallVector.h"

namespace grout {

/// Links the object file `object` into a shared object that may use libm. Fails
/// with a diagnostic at `loc`.
mlir::FailureOr<llvm::SmallVector<char>>
linkSharedObject(mlir::Location loc, llvm::ArrayRef<char> object);

} // namespace grout

#endif // GROUT_LIB_CODEGEN_NATIVE_LINKER_H
