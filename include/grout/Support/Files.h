//===- Files.h - Files that are whole or gone -------------------*- C++ -*-===//
//
// Part of Grout. If writing fails, or Ctrl-C or SIGTERM ends the process, no
// temporary file and no incomplete result remain.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_SUPPORT_FILES_H
#define GROUT_SUPPORT_FILES_H

#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include <string>
#include <utility>

namespace grout {

/// Writes `bytes` to file `path` (- is standard output). A plain file is
/// written beside its place and then moved there, so nobody sees it incomplete.
/// Errors say which file could not be written.
llvm::Error writeFile(llvm::StringRef path, llvm::StringRef bytes);

/// Writes the buffered data of llvm::outs(). Fails if printed text could not be
/// written. Without this call, such a failure would end the process without an
/// error that names standard output.
llvm::Error flushStandardOutput();

/// A file in the system's folder for temporary files. The destructor removes
/// it. Errors name the file.
class TemporaryFile {
public:
  /// Creates an empty file whose name ends with `suffix`.
  static llvm::Expected<TemporaryFile> create(llvm::StringRef suffix);
  /// Creates an empty file with the access rights `mode`. Its name is `model`,
  /// in which random characters replace every %.
  static llvm::Expected<TemporaryFile> createNamed(llvm::StringRef model,
                                                   unsigned mode);
  TemporaryFile(TemporaryFile &&other) noexcept
      : path(std::exchange(other.path, "")), file(other.file) {}
  ~TemporaryFile();

  llvm::StringRef getPath() const { return path; }

  llvm::Error write(llvm::StringRef bytes);

  /// Moves the file to `name`, where it stays.
  llvm::Error keep(llvm::StringRef name);

  /// Returns the contents of the file that now has this name. Another program
  /// may have replaced the file.
  llvm::Expected<std::string> read() const;

private:
  TemporaryFile(std::string path, llvm::sys::fs::file_t file)
      : path(std::move(path)), file(file) {}

  std::string path; // empty once there is nothing to remove
  llvm::sys::fs::file_t file;
};

} // namespace grout

#endif // GROUT_SUPPORT_FILES_H
