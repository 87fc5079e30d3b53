//===- CompilerMLIR.h - Compiling modules of MLIR's C API ---------*- C -*-===//
//
// Part of Grout. What grout-c/Compiler.h has for those who have an MlirModule.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_C_COMPILERMLIR_H
#define GROUT_C_COMPILERMLIR_H

#include "grout-c/Compiler.h"
#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

/// As grout_compiler_compile. `module` is of the MLIR that the library is
/// linked with (one libMLIR.so in the process), and stays as it is: the
/// compiler works on a copy, in a context of its own, and leaves out what it
/// does not need: other ops than functions at the top of the module, host
/// functions, and, of dialects that Grout does not know, discardable attributes
/// and metadata of locations. An op or a type of such a dialect in a function
/// that is compiled is refused where it stands.
GROUT_COMPILER_API grout_compiler_status grout_compiler_compile_module(
    grout_compiler *compiler, MlirModule module, const char *name);

#ifdef __cplusplus
}
#endif

#endif // GROUT_C_COMPILERMLIR_H
