//===- Linker.cpp - Links a shared object with a system's linker ----------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "Linker.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>
#include <dlfcn.h>

using namespace mlir;

namespace {
/// A file that is removed with the object.
class TemporaryFile {
public:
  std::error_code create(StringRef suffix) {
    std::error_code error =
        llvm::sys::fs::createTemporaryFile("grout", suffix, path);
    if (!error)
      remover.setFile(path, /*deleteIt=*/true);
    return error;
  }
  StringRef getPath() const { return path; }

private:
  SmallString<128> path;
  llvm::FileRemover remover;
};

struct Linker {
  std::string path;
  bool isCompilerDriver;
};
} // namespace

static FailureOr<Linker> findLinker(Location loc) {
  for (StringRef name : {"ld.lld-22", "ld.lld", "ld", "cc"})
    if (llvm::ErrorOr<std::string> path = llvm::sys::findProgramByName(name))
      return Linker{*path, name == "cc"};
  return emitError(loc) << "cannot link the kernels: there is no ld.lld-22, "
                           "ld.lld, ld or cc on the PATH; install lld or "
                           "binutils";
}

/// The libm that this process runs with. Naming the library itself needs no
/// development files, which a machine that only runs Grout may lack.
static std::string findMathLibrary() {
  Dl_info info;
  float (*function)(float) = ::tanhf;
  if (dladdr(reinterpret_cast<void *>(function), &info) && info.dli_fname &&
      StringRef(info.dli_fname).contains("libm"))
    return info.dli_fname;
  return "";
}

static std::string readWhole(StringRef path) {
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> buffer =
      llvm::MemoryBuffer::getFile(path);
  return buffer ? (*buffer)->getBuffer().trim().str() : "";
}

FailureOr<SmallVector<char>> grout::linkSharedObject(Location loc,
                                                     ArrayRef<char> object) {
  FailureOr<Linker> linker = findLinker(loc);
  if (failed(linker))
    return failure();

  TemporaryFile input, output, messages;
  for (auto [file, suffix] :
       {std::pair(&input, "o"), {&output, "so"}, {&messages, "txt"}})
    if (std::error_code error = file->create(suffix))
      return emitError(loc) << "cannot create a temporary file for the linker: "
                            << error.message();
  std::error_code error;
  llvm::raw_fd_ostream stream(input.getPath(), error);
  if (!error)
    stream.write(object.data(), object.size());
  stream.close();
  if (!error)
    error = stream.error();
  if (error)
    return emitError(loc) << "cannot write " << input.getPath() << ": "
                          << error.message();

  std::string mathLibrary = findMathLibrary();
  SmallVector<StringRef> arguments = {linker->path, "-shared", "-o",
                                      output.getPath(), input.getPath()};
  if (linker->isCompilerDriver)
    arguments.push_back("-nostdlib");
  if (!mathLibrary.empty())
    arguments.push_back(mathLibrary);
  std::string message;
  int status = llvm::sys::ExecuteAndWait(
      linker->path, arguments, /*Env=*/std::nullopt,
      {StringRef(""), messages.getPath(), messages.getPath()},
      /*SecondsToWait=*/0, /*MemoryLimit=*/0, &message);
  if (status != 0) {
    InFlightDiagnostic diag = emitError(loc)
                              << "cannot link the kernels: " << linker->path
                              << " failed";
    if (!message.empty())
      diag.attachNote() << message;
    if (std::string printed = readWhole(messages.getPath()); !printed.empty())
      diag.attachNote() << printed;
    return diag;
  }

  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> result =
      llvm::MemoryBuffer::getFile(output.getPath());
  if (!result)
    return emitError(loc) << "cannot read " << output.getPath() << ": "
                          << result.getError().message();
  StringRef bytes = (*result)->getBuffer();
  return SmallVector<char>(bytes.begin(), bytes.end());
}
