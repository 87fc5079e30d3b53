//===- CompileOptions.h - The command line of grout-compile -----*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_TOOLS_GROUT_COMPILE_COMPILEOPTIONS_H
#define GROUT_TOOLS_GROUT_COMPILE_COMPILEOPTIONS_H

#include "grout/Compiler/CompilerOptions.h"
#include "llvm/Support/LogicalResult.h"
#include <string>

namespace grout::compile {

struct Options {
  CompilerOptions compiler;
  std::string input, output;
  /// The file of the timeline; empty for none.
  std::string timeline;
  /// The file of a trace that the timeline shows; empty for none.
  std::string timelineTrace;
};

/// Reads the command line, and prints an error if it is wrong. Also registers
/// MLIR's usual options. `--help` ends the process.
llvm::LogicalResult parseCommandLine(int argc, char **argv, Options &options);

} // namespace grout::compile

#endif // GROUT_TOOLS_GROUT_COMPILE_COMPILEOPTIONS_H
