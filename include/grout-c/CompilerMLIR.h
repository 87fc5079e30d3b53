//===- CompilerMLIR.h - Compiling modules of MLIR's C API ---------*- C -*-===//
//
// Part of Grout. Adds to grout-c/Compiler.h a function that compiles an
// MlirModule.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_C_COMPILERMLIR_H
#define GROUT_C_COMPILERMLIR_H

#include "grout-c/Compiler.h"
#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Does the same as grout_compiler_compile for an MlirModule. `module` belongs
/// to the MLIR that the library is linked with: there must be one libMLIR.so in
/// the process. The compiler does not change `module`, but works on a copy in a
/// context of its own. It leaves out the parts of the module that it does not
/// need:
///
/// - ops at the top of the module, except functions, launch plans and modules,
/// - host functions,
/// - discardable attributes and metadata of locations, if they belong to
///   dialects that Grout does not know.
///
/// The compiler refuses an op or a type of an unknown dialect in a function
/// that it compiles, with a diagnostic at the op.
GROUT_COMPILER_API grout_compiler_status grout_compiler_compile_module(
    grout_compiler *compiler, MlirModule module, const char *name);

#ifdef __cplusplus
}
#endif

#endif // GROUT_C_COMPILERMLIR_H
