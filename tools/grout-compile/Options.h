//===- Options.h - The command line of grout-compile ------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_TOOLS_GROUT_COMPILE_OPTIONS_H
#define GROUT_TOOLS_GROUT_COMPILE_OPTIONS_H

#include "grout/Dialect/TSync/IR/ModeOption.h"
#include "grout/Pipelines/Pipelines.h"
#include "grout/Target/Target.h"
#include "llvm/Support/LogicalResult.h"
#include <string>
#include <vector>

namespace grout::compile {

/// What to write.
enum class EmitKind { Artifact, MLIR, LLVM, PTX, Assembly };

struct Options {
  std::string input, output;
  const Target *target;
  std::vector<std::string> edgeModes;
  tsync::ModeOption mode;
  std::string granularity, scopTree, scopSolver;
  EmitKind emit = EmitKind::Artifact;
  ScopRestructure scopRestructure = ScopRestructure::Auto;
  bool scopTrace = false;
  bool explain = false;
  std::string timeline; // file; empty for none
  std::string tuning;   // file; empty for none
  unsigned listTilings = 0;
  bool strictTypes = false;
  bool reference = true;
  bool sanitizeThread = false;
  unsigned debugSyncMilliseconds = 0; // 0: waits never give up
  std::string ptxas; // path; empty to leave assembly to the driver
};

/// Reads the command line, printing what is wrong with it. Registers MLIR's
/// usual options, too. `--help` ends the process.
llvm::FailureOr<Options> parseCommandLine(int argc, char **argv);

} // namespace grout::compile

#endif // GROUT_TOOLS_GROUT_COMPILE_OPTIONS_H
