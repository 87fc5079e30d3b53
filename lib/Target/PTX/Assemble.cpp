//===- Assemble.cpp - Runs ptxas ------------------------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Target/PTX.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"

using namespace mlir;
using namespace grout;

//===----------------------------------------------------------------------===//
// Finding ptxas
//===----------------------------------------------------------------------===//

/// ptxas in `directory` or its bin/.
static std::optional<std::string> findIn(StringRef directory) {
  for (StringRef folder : {"", "bin"}) {
    llvm::SmallString<128> path(directory);
    llvm::sys::path::append(path, folder, "ptxas");
    if (llvm::sys::fs::can_execute(path))
      return std::string(path.str());
  }
  return std::nullopt;
}

std::optional<std::string> grout::findPtxas(const PtxasOptions &options) {
  if (!options.path.empty()) {
    if (llvm::sys::fs::can_execute(options.path))
      return options.path;
    return std::nullopt;
  }
  for (const std::string &directory : options.directories)
    if (std::optional<std::string> path = findIn(directory))
      return path;
  for (const char *variable : {"CUDA_HOME", "CUDA_ROOT", "CUDA_PATH"})
    if (std::optional<std::string> directory =
            llvm::sys::Process::GetEnv(variable))
      if (std::optional<std::string> path = findIn(*directory))
        return path;
  if (llvm::ErrorOr<std::string> path = llvm::sys::findProgramByName("ptxas"))
    return *path;
  return findIn("/usr/local/cuda");
}

//===----------------------------------------------------------------------===//
// Reports
//===----------------------------------------------------------------------===//

/// The number right before `unit` in `line`, or 0.
static int64_t getNumberBefore(StringRef line, StringRef unit) {
  size_t end = line.find(unit);
  if (end == StringRef::npos)
    return 0;
  StringRef head = line.take_front(end).rtrim();
  size_t digits = head.size() - head.find_last_not_of("0123456789") - 1;
  int64_t number = 0;
  if (head.take_back(digits).getAsInteger(10, number))
    return 0;
  return number;
}

AssemblyReport grout::parsePtxasReport(StringRef text) {
  AssemblyReport report;
  SmallVector<StringRef> lines;
  text.split(lines, '\n');
  for (StringRef line : lines) {
    if (size_t name = line.find("entry function '"); name != StringRef::npos) {
      KernelReport kernel;
      kernel.name = line.drop_front(name).split('\'').second.split('\'').first;
      report.kernels.push_back(kernel);
    } else if (!report.kernels.empty() && line.contains("spill stores")) {
      KernelReport &kernel = report.kernels.back();
      kernel.stackBytes = getNumberBefore(line, " bytes stack frame");
      kernel.spillStoreBytes = getNumberBefore(line, " bytes spill stores");
      kernel.spillLoadBytes = getNumberBefore(line, " bytes spill loads");
    } else if (!report.kernels.empty() && line.contains("Used ")) {
      report.kernels.back().registers = getNumberBefore(line, " registers");
    }
    // Numbers from 7500 on tell of wgmma and setmaxnreg, some as information.
    if (line.contains("(C75") || line.contains("warning"))
      report.warnings.push_back(line.trim().str());
  }
  return report;
}

/// Emits what `report` says against the code. Fails if that is an error.
static LogicalResult judge(Location loc, const AssemblyReport &report,
                           bool strict) {
  auto emit = [&] { return strict ? emitError(loc) : emitWarning(loc); };
  bool isBad = false;
  for (const std::string &warning : report.warnings) {
    emit() << "ptxas: " << warning;
    isBad = true;
  }
  for (const KernelReport &kernel : report.kernels)
    if (kernel.spillStoreBytes || kernel.spillLoadBytes) {
      emit() << "ptxas: kernel '" << kernel.name
             << "' spills registers: " << kernel.spillStoreBytes
             << " bytes of stores and " << kernel.spillLoadBytes << " of loads";
      isBad = true;
    }
  return failure(strict && isBad);
}

//===----------------------------------------------------------------------===//
// Running ptxas
//===----------------------------------------------------------------------===//

static FailureOr<std::string> readFile(Location loc, StringRef path) {
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> buffer =
      llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    return emitError(loc) << "cannot read " << path << ": "
                          << buffer.getError().message();
  return (*buffer)->getBuffer().str();
}

FailureOr<Cubin> grout::assemblePTX(Location loc, StringRef ptx,
                                    StringRef architecture,
                                    const PtxasOptions &options) {
  std::optional<std::string> ptxas = findPtxas(options);
  if (!ptxas) {
    InFlightDiagnostic diag = emitError(loc) << "cannot make a cubin: ";
    if (options.path.empty())
      diag << "found no ptxas; set CUDA_HOME, or ask for PTX only";
    else
      diag << "cannot execute '" << options.path << "'";
    return diag;
  }

  // Input, output and log.
  SmallVector<std::string, 3> files;
  SmallVector<std::unique_ptr<llvm::FileRemover>, 3> removers;
  for (StringRef suffix : {"ptx", "cubin", "log"}) {
    llvm::SmallString<128> path;
    if (std::error_code error =
            llvm::sys::fs::createTemporaryFile("grout", suffix, path))
      return emitError(loc)
             << "cannot create a temporary file: " << error.message();
    files.push_back(std::string(path.str()));
    removers.push_back(std::make_unique<llvm::FileRemover>(path));
  }
  {
    std::error_code error;
    llvm::raw_fd_ostream stream(files[0], error);
    stream << ptx;
    stream.close();
    if (error || stream.has_error())
      return emitError(loc) << "cannot write " << files[0];
  }

  std::string arch = ("-arch=" + architecture).str();
  SmallVector<StringRef> arguments = {*ptxas,   "-v", arch,
                                      files[0], "-o", files[1]};
  std::string message;
  int status = llvm::sys::ExecuteAndWait(
      *ptxas, arguments, /*Env=*/std::nullopt,
      /*Redirects=*/{StringRef(""), StringRef(files[2]), StringRef(files[2])},
      /*SecondsToWait=*/0, /*MemoryLimit=*/0, &message);
  FailureOr<std::string> log = readFile(loc, files[2]);
  if (failed(log))
    return failure();
  if (status != 0) {
    InFlightDiagnostic diag = emitError(loc) << *ptxas << " failed";
    if (!message.empty())
      diag << ": " << message;
    diag.attachNote() << *log;
    return diag;
  }

  Cubin cubin;
  cubin.report = parsePtxasReport(*log);
  if (failed(judge(loc, cubin.report, options.strict)))
    return failure();
  FailureOr<std::string> image = readFile(loc, files[1]);
  if (failed(image))
    return failure();
  cubin.image = std::move(*image);
  return cubin;
}
