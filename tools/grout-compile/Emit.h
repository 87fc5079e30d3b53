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

/// The module of `input`, whose kernels have been made, in the form that
/// `options` ask for. `mode` is what an artifact says of itself, where the
/// options may say auto. Fails with a diagnostic.
mlir::FailureOr<std::string> emit(Input &input, const Options &options,
                                  llvm::StringRef mode);

} // namespace grout::compile

#endif // GROUT_TOOLS_GROUT_COMPILE_EMIT_H
