//===- Program.h - Programs that end with this process ----------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_TARGET_PROGRAM_H
#define GROUT_TARGET_PROGRAM_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace grout {

/// How a program ended.
struct ProgramResult {
  /// Why it was not executed, or which signal ended it; else empty.
  std::string problem;
  /// Its exit status, if there is no problem.
  int status = 0;
  /// What it wrote to standard output and to standard error.
  std::string output, errors;

  bool succeeded() const { return problem.empty() && status == 0; }
};

/// Runs the program at `path` with `arguments`, the first of which is its name,
/// and waits for it. It reads nothing. However this process ends meanwhile, the
/// program ends, too (with SIGTERM), and if a signal's handler removes
/// temporary files, it ends before that: it leaves no file that nobody is left
/// to remove.
ProgramResult runProgram(llvm::StringRef path,
                         llvm::ArrayRef<llvm::StringRef> arguments);

} // namespace grout

#endif // GROUT_TARGET_PROGRAM_H
