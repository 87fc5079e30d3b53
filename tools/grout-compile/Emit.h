//===- Emit.h - Writes what grout-compile made ------------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_TOOLS_GROUT_COMPILE_EMIT_H
#define GROUT_TOOLS_GROUT_COMPILE_EMIT_H

#include "Input.h"
#include "Options.h"

namespace grout::compile {

/// Writes `bytes` to file `path` (- is standard output). A file that could not
/// be written whole is removed. Fails with a message.
llvm::LogicalResult writeFile(llvm::StringRef path, llvm::StringRef bytes);

/// The module of `input`, whose kernels have been made, in the form that
/// `options` ask for. Fails with a diagnostic.
mlir::FailureOr<std::string> emit(Input &input, const Options &options);

} // namespace grout::compile

#endif // GROUT_TOOLS_GROUT_COMPILE_EMIT_H
