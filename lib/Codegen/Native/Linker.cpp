//===- Linker.cpp - Links a shared object with a system's linker ----------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "Linker.h"

#include "grout/Support/Files.h"
#include "grout/Support/RunProgram.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/Program.h"

#include <cmath>
#include <dlfcn.h>

using namespace mlir;
using namespace grout;

namespace {
struct Linker {
  std::string path;
  bool isCompilerDriver;
  /// Whether the linker writes standard output if the output file is "-". This
  /// saves a file, and also lld's own temporary file, which lld leaves behind
  /// if it gets a signal at the wrong time.
  bool writesToOutput;
};
} // namespace

static FailureOr<Linker> findLinker(Location loc) {
  for (StringRef name : {"ld.lld-22", "ld.lld", "ld", "cc"})
    if (llvm::ErrorOr<std::string> path = llvm::sys::findProgramByName(name))
      return Linker{*path, name == "cc", name.starts_with("ld.lld")};
  return emitError(loc) << "cannot link the kernels: there is no ld.lld-22, "
                           "ld.lld, ld or cc on the PATH; install lld or "
                           "binutils";
}

/// Returns the path of the libm that this process uses. The linker then needs
/// no development files, which a machine that only runs Grout may not have.
static std::string findMathLibrary() {
  Dl_info info;
  float (*function)(float) = ::tanhf;
  if (dladdr(reinterpret_cast<void *>(function), &info) && info.dli_fname &&
      StringRef(info.dli_fname).contains("libm"))
    return info.dli_fname;
  return "";
}

/// Runs `linker` on file `input`. Returns its standard output.
static FailureOr<std::string> runLinker(Location loc, const Linker &linker,
                                        StringRef input, StringRef output) {
  std::string mathLibrary = findMathLibrary();
  SmallVector<StringRef> arguments = {linker.path, "-shared", "-o", output,
                                      input};
  if (linker.isCompilerDriver)
    arguments.push_back("-nostdlib");
  if (!mathLibrary.empty())
    arguments.push_back(mathLibrary);
  ProgramResult result = runProgram(linker.path, arguments);
  if (result.succeeded())
    return std::move(result.output);
  InFlightDiagnostic diag =
      emitError(loc) << "cannot link the kernels: " << linker.path << " failed";
  if (!result.problem.empty())
    diag << ": " << result.problem;
  if (StringRef text = StringRef(result.errors).trim(); !text.empty())
    diag.attachNote() << text;
  return diag;
}

FailureOr<SmallVector<char>> grout::linkSharedObject(Location loc,
                                                     ArrayRef<char> object) {
  FailureOr<Linker> linker = findLinker(loc);
  if (failed(linker))
    return failure();
  auto refuse = [&](llvm::Error error) {
    return emitError(loc) << "cannot link the kernels: "
                          << llvm::toString(std::move(error));
  };
  llvm::Expected<TemporaryFile> input = TemporaryFile::create("o");
  if (!input)
    return refuse(input.takeError());
  if (llvm::Error error = input->write({object.data(), object.size()}))
    return refuse(std::move(error));
  if (linker->writesToOutput) {
    FailureOr<std::string> bytes =
        runLinker(loc, *linker, input->getPath(), /*output=*/"-");
    if (failed(bytes))
      return failure();
    return SmallVector<char>(bytes->begin(), bytes->end());
  }
  llvm::Expected<TemporaryFile> output = TemporaryFile::create("so");
  if (!output)
    return refuse(output.takeError());
  if (failed(runLinker(loc, *linker, input->getPath(), output->getPath())))
    return failure();
  llvm::Expected<std::string> bytes = output->read();
  if (!bytes)
    return refuse(bytes.takeError());
  return SmallVector<char>(bytes->begin(), bytes->end());
}
