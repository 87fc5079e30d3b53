//===- RunProgram.h - Runs other programs -----------------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_SUPPORT_RUNPROGRAM_H
#define GROUT_SUPPORT_RUNPROGRAM_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace grout {

/// How a program ended.
struct ProgramResult {
  /// Why the program was not executed, or which signal ended it; else empty.
  std::string problem;
  /// The exit status, if there is no problem.
  int status = 0;
  /// The program's standard output and standard error.
  std::string output, errors;

  bool succeeded() const { return problem.empty() && status == 0; }
};

/// Runs the program at `path` with `arguments`, the first of which is its name,
/// and waits for it. Its standard input is empty. If this process ends
/// meanwhile, for any reason, the program ends, too (by SIGTERM). If a signal
/// handler of this process removes temporary files, the program ends before
/// that. So it leaves no file that nobody removes.
ProgramResult runProgram(llvm::StringRef path,
                         llvm::ArrayRef<llvm::StringRef> arguments);

} // namespace grout

#endif // GROUT_SUPPORT_RUNPROGRAM_H
