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

/// The options of the pipeline and of the steps after it. Options.def declares
/// them.
struct CompilerOptions : GroutPipelineOptions {
// A declarator takes no parentheses.
// NOLINTBEGIN(bugprone-macro-parentheses)
#define GROUT_OUTPUT_OPTION(type, member, name, initial, values, help)         \
  Option<type> member{*this, name, llvm::cl::desc(help),                       \
                      llvm::cl::init(initial), values};
#define GROUT_RESULT_OPTION GROUT_OUTPUT_OPTION
#include "grout/Pipelines/Options.def"
  // NOLINTEND(bugprone-macro-parentheses)

  /// Sets the option called `name`, as a command line would. Fails with a
  /// message if the name or the value is wrong; does not look at files that a
  /// value names. Needs registered targets and policies. Does not know options
  /// of tools alone, such as `scop-trace`, which prints.
  llvm::Error set(llvm::StringRef name, llvm::StringRef value);

  /// Fails with a message if the options contradict each other. The message
  /// calls options by their flags.
  llvm::Error check() const;

  /// Returns the target, or null if there is no such target.
  const Target *findTarget() const { return lookupTarget(target); }
};

/// An option that CompilerOptions::set knows.
struct OptionDescription {
  std::string name, help;
  /// The default, as `set` takes it.
  std::string initial;
  /// All values, if they can be listed: of an option that is true or false, of
  /// an enumeration, or of an option that takes the name of something that is
  /// registered. Otherwise empty.
  std::vector<std::string> values;
  /// Whether `values` are names of something that is registered, such as
  /// targets. Programs may register more.
  bool isRegistry;
};

/// Describes all options that CompilerOptions::set knows, in the order of
/// Options.def. Needs registered targets and policies.
std::vector<OptionDescription> describeOptions();

/// Fails with a message if `value` is not registered under the name of an
/// option that takes such names, for example as a target.
llvm::Error checkRegistered(llvm::StringRef option, llvm::StringRef value);

} // namespace grout

#endif // GROUT_COMPILER_COMPILEROPTIONS_H
