//===- Files.cpp - Files that are whole or gone ---------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Support/Files.h"

#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"

using namespace grout;
namespace fs = llvm::sys::fs;

static llvm::Error makeError(const char *what, const llvm::Twine &path,
                             std::error_code error) {
  return llvm::createStringError(error, "cannot %s '%s': %s", what,
                                 path.str().c_str(), error.message().c_str());
}

/// Writes `bytes` and what waits in `stream`. The error is taken out of it: a
/// stream that is destroyed with one ends the process.
static std::error_code writeTo(llvm::raw_fd_ostream &stream,
                               llvm::StringRef bytes) {
  stream << bytes;
  stream.flush();
  std::error_code error = stream.error();
  stream.clear_error();
  return error;
}

llvm::Error grout::flushStandardOutput() {
  if (std::error_code error = writeTo(llvm::outs(), ""))
    return makeError("write", "<standard output>", error);
  return llvm::Error::success();
}

/// Writes to what is no plain file: a device, a pipe.
static llvm::Error writeInPlace(llvm::StringRef path, llvm::StringRef bytes) {
  std::error_code error;
  llvm::raw_fd_ostream stream(path, error, fs::OF_None);
  if (!error)
    error = writeTo(stream, bytes);
  return error ? makeError("write", path, error) : llvm::Error::success();
}

llvm::Error grout::writeFile(llvm::StringRef path, llvm::StringRef bytes) {
  if (path == "-") {
    llvm::outs() << bytes;
    return flushStandardOutput();
  }
  // A link stays, and what it names is written.
  llvm::SmallString<128> target;
  if (fs::real_path(path, target))
    target = path;
  if (fs::exists(target) && !fs::is_regular_file(target))
    return writeInPlace(target, bytes);
  llvm::Expected<TemporaryFile> file = TemporaryFile::createNamed(
      (target + ".%%%%%%.tmp").str(), fs::all_read | fs::all_write);
  if (!file)
    return makeError("write", path, llvm::errorToErrorCode(file.takeError()));
  llvm::Error failure = file->write(bytes);
  if (!failure)
    failure = file->keep(target);
  if (failure)
    return makeError("write", path, llvm::errorToErrorCode(std::move(failure)));
  return llvm::Error::success();
}

/// How many names are tried for a file that must be new.
static constexpr int kAttempts = 128;

llvm::Expected<TemporaryFile> TemporaryFile::createNamed(llvm::StringRef model,
                                                         unsigned mode) {
  std::error_code error;
  for (int attempt = 0; attempt != kAttempts; ++attempt) {
    llvm::SmallString<128> path;
    fs::createUniquePath(model, path, /*MakeAbsolute=*/false);
    // First what is to happen if the program is interrupted: there is no time
    // at which the file is there, and nobody would remove it.
    llvm::sys::RemoveFileOnSignal(path);
    llvm::Expected<fs::file_t> file = fs::openNativeFile(
        path, fs::CD_CreateNew, fs::FA_Read | fs::FA_Write, fs::OF_None, mode);
    if (file)
      return TemporaryFile(std::string(path), *file);
    llvm::sys::DontRemoveFileOnSignal(path);
    error = llvm::errorToErrorCode(file.takeError());
    if (error != std::errc::file_exists)
      break;
  }
  return llvm::errorCodeToError(error);
}

llvm::Expected<TemporaryFile> TemporaryFile::create(llvm::StringRef suffix) {
  llvm::SmallString<128> model;
  llvm::sys::path::system_temp_directory(/*ErasedOnReboot=*/true, model);
  llvm::sys::path::append(model, "grout-%%%%%%%%." + suffix);
  llvm::Expected<TemporaryFile> file =
      createNamed(model, fs::owner_read | fs::owner_write);
  if (!file)
    return makeError("create a temporary file in",
                     llvm::sys::path::parent_path(model),
                     llvm::errorToErrorCode(file.takeError()));
  return file;
}

TemporaryFile::~TemporaryFile() {
  if (path.empty())
    return;
  // There is nobody to tell.
  [[maybe_unused]] std::error_code closed = fs::closeFile(file);
  [[maybe_unused]] std::error_code removed = fs::remove(path);
  llvm::sys::DontRemoveFileOnSignal(path);
}

llvm::Error TemporaryFile::keep(llvm::StringRef name) {
  if (std::error_code error = fs::rename(path, name))
    return makeError("write", name, error);
  llvm::sys::DontRemoveFileOnSignal(path);
  path.clear();
  if (std::error_code error = fs::closeFile(file))
    return makeError("write", name, error);
  return llvm::Error::success();
}

llvm::Error TemporaryFile::write(llvm::StringRef bytes) {
  llvm::raw_fd_ostream stream(file, /*shouldClose=*/false);
  std::error_code error = writeTo(stream, bytes);
  return error ? makeError("write", getPath(), error) : llvm::Error::success();
}

llvm::Expected<std::string> TemporaryFile::read() const {
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> buffer =
      llvm::MemoryBuffer::getFile(getPath());
  if (!buffer)
    return makeError("read", getPath(), buffer.getError());
  return (*buffer)->getBuffer().str();
}
