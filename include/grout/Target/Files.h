//===- Files.h - Files that are whole or gone -------------------*- C++ -*-===//
//
// Part of Grout. Whatever fails or ends the process (a full disk, Ctrl-C,
// SIGTERM) leaves no temporary file and no half a result.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_TARGET_FILES_H
#define GROUT_TARGET_FILES_H

#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include <string>
#include <utility>

namespace grout {

/// Writes `bytes` to file `path` (- is standard output). A plain file is
/// written beside its place and then moved there, so that it is never seen in
/// parts. Errors say what could not be written.
llvm::Error writeFile(llvm::StringRef path, llvm::StringRef bytes);

/// Writes what waits in llvm::outs(). Fails if something that was printed could
/// not be written, which would otherwise end the process without a name.
llvm::Error flushStandardOutput();

/// A file in the system's folder for temporary files, which goes with the
/// object. Errors name the file.
class TemporaryFile {
public:
  /// An empty file whose name ends with `suffix`.
  static llvm::Expected<TemporaryFile> create(llvm::StringRef suffix);
  /// The same with a name made from `model`, in which every % becomes random,
  /// and the access rights `mode`.
  static llvm::Expected<TemporaryFile> createNamed(llvm::StringRef model,
                                                   unsigned mode);
  TemporaryFile(TemporaryFile &&other) noexcept
      : path(std::exchange(other.path, "")), file(other.file) {}
  ~TemporaryFile();

  llvm::StringRef getPath() const { return path; }

  llvm::Error write(llvm::StringRef bytes);

  /// Moves it to `name`, where it stays.
  llvm::Error keep(llvm::StringRef name);

  /// What is in the file of that name now, which another program may have
  /// replaced.
  llvm::Expected<std::string> read() const;

private:
  TemporaryFile(std::string path, llvm::sys::fs::file_t file)
      : path(std::move(path)), file(file) {}

  std::string path; // empty once there is nothing to remove
  llvm::sys::fs::file_t file;
};

} // namespace grout

#endif // GROUT_TARGET_FILES_H
