//===- Emission.h - Writes the output of a compilation ----------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_COMPILER_EMISSION_H
#define GROUT_LIB_COMPILER_EMISSION_H

#include "grout/Compiler/CompilerOptions.h"
#include "grout/Compiler/Program.h"

namespace grout {

/// Returns the module of `program`, whose kernels have been made, in the form
/// that `options` ask for. An artifact gets the mode `mode`, because the
/// options may say auto. Fails with a diagnostic.
mlir::FailureOr<std::string> emitProgram(Program &program,
                                         const CompilerOptions &options,
                                         llvm::StringRef mode);

} // namespace grout

#endif // GROUT_LIB_COMPILER_EMISSION_H
