//===- CompilerOptions.h - What a user chooses of a compilation -*- C++ -*-===//
//
// Part of Grout. The same options, by the same names, serve grout-compile, the
// C API and whoever embeds the compiler.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_COMPILER_COMPILEROPTIONS_H
#define GROUT_COMPILER_COMPILEROPTIONS_H

#include "grout/Pipelines/Pipelines.h"
#include "grout/Target/Target.h"
#include "llvm/Support/Error.h"

namespace grout {

/// What a compilation writes.
enum class EmitKind { Artifact, MLIR, LLVM, PTX, Assembly };

/// The values of an option of that type.
llvm::cl::ValuesClass getEmitValues();

/// The pipeline's options, and those of what comes after it.
struct CompilerOptions : GroutPipelineOptions {
  Option<EmitKind> emit{*this, "emit", llvm::cl::desc("What to write"),
                        llvm::cl::init(EmitKind::Artifact), getEmitValues()};
  Option<bool> sanitizeThread{
      *this, "sanitize-thread",
      llvm::cl::desc("CPU: instrument kernels for ThreadSanitizer"),
      llvm::cl::init(false)};
  Option<std::string> ptxas{
      *this, "ptxas",
      llvm::cl::desc("GPU: assemble kernels with this ptxas; without it, the "
                     "driver does when they are loaded"),
      llvm::cl::init("")};
  Option<unsigned> listTilings{
      *this, "list-tilings",
      llvm::cl::desc(
          "GPU: compile nothing, and write, as JSON, so many tilings "
          "of each product that are modelled to be the fastest"),
      llvm::cl::init(0)};

  /// Sets the option called `name`, as a command line would. Fails with what
  /// is wrong with the name or the value, of which files are not looked at.
  /// Targets and policies have been registered. Not for `scop-trace`, which
  /// prints.
  llvm::Error set(llvm::StringRef name, llvm::StringRef value);

  /// Fails with what is wrong with the options together. Options are called by
  /// their flags.
  llvm::Error check() const;

  /// The target, if it is known.
  const Target *findTarget() const { return lookupTarget(target); }

private:
  llvm::Error setEdgeModes(llvm::StringRef value);
};

/// The names of all targets, for people.
std::string getTargetNames();

} // namespace grout

#endif // GROUT_COMPILER_COMPILEROPTIONS_H
