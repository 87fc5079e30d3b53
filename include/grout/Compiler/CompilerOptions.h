//===- CompilerOptions.h - Options of a compilation -------------*- C++ -*-===//
//
// Part of Grout. grout-compile, the C API and programs that embed the compiler
// use the same options, by the same names.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_COMPILER_COMPILEROPTIONS_H
#define GROUT_COMPILER_COMPILEROPTIONS_H

#include "grout/Pipelines/Pipelines.h"
#include "grout/Target/Target.h"
#include "llvm/Support/Error.h"

namespace grout {

/// The form of a compilation's output.
enum class EmitKind { Artifact, MLIR, LLVM, PTX, Assembly };

/// Returns the values of an option of type EmitKind.
llvm::cl::ValuesClass getEmitValues();

/// The options of the pipeline and of the steps after it.
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

  /// Sets the option called `name`, as a command line would. Fails with a
  /// message if the name or the value is wrong; does not look at files that a
  /// value names. Needs registered targets and policies. Does not know
  /// `scop-trace`, which prints.
  llvm::Error set(llvm::StringRef name, llvm::StringRef value);

  /// Fails with a message if the options contradict each other. The message
  /// calls options by their flags.
  llvm::Error check() const;

  /// Returns the target, or null if there is no such target.
  const Target *findTarget() const { return lookupTarget(target); }

private:
  llvm::Error setEdgeModes(llvm::StringRef value);
};

/// Returns the names of all targets, for people.
std::string getTargetNames();

} // namespace grout

#endif // GROUT_COMPILER_COMPILEROPTIONS_H
