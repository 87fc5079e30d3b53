//===- KernelText.h - The kernels of a program as text ----------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_COMPILER_KERNELTEXT_H
#define GROUT_LIB_COMPILER_KERNELTEXT_H

#include "grout/Compiler/CompilerOptions.h"
#include "mlir/IR/BuiltinOps.h"

namespace grout {

/// Returns the kernels of `program`, which have been made, as one module of the
/// text that `options` ask for: LLVM IR, PTX or assembly. Leaves out the
/// kernels of reference plans. Fails with a diagnostic.
mlir::FailureOr<std::string> emitKernelText(mlir::ModuleOp program,
                                            const CompilerOptions &options);

} // namespace grout

#endif // GROUT_LIB_COMPILER_KERNELTEXT_H
