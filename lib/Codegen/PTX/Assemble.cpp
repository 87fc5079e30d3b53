//===- Assemble.cpp - Runs ptxas ------------------------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Codegen/PTX.h"

#include "grout/Support/Files.h"
#include "grout/Support/RunProgram.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"

using namespace mlir;
using namespace grout;

//===----------------------------------------------------------------------===//
// Finding ptxas
//===----------------------------------------------------------------------===//

/// Returns the path of ptxas in `directory` or its bin/.
static std::optional<std::string> findPtxasIn(StringRef directory) {
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
    if (std::optional<std::string> path = findPtxasIn(directory))
      return path;
  for (const char *variable : {"CUDA_HOME", "CUDA_ROOT", "CUDA_PATH"})
    if (std::optional<std::string> directory =
            llvm::sys::Process::GetEnv(variable))
      if (std::optional<std::string> path = findPtxasIn(*directory))
        return path;
  if (llvm::ErrorOr<std::string> path = llvm::sys::findProgramByName("ptxas"))
    return *path;
  return findPtxasIn("/usr/local/cuda");
}

//===----------------------------------------------------------------------===//
// Reports
//===----------------------------------------------------------------------===//

/// Returns the number directly before `unit` in `line`, or 0.
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
    // Messages with numbers from 7500 on are about wgmma and setmaxnreg. Some
    // of them are only marked as information.
    if (line.contains("(C75") || line.contains("warning"))
      report.warnings.push_back(line.trim().str());
  }
  return report;
}

/// Emits the warnings and spills of `report`. Fails if `strict`, and there are
/// any.
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

/// Whether `image` begins like an ELF image for CUDA.
static bool isCubin(StringRef image) {
  llvm::ELF::Elf64_Ehdr header;
  if (image.size() < sizeof(header))
    return false;
  std::memcpy(&header, image.data(), sizeof(header));
  return header.checkMagic() && header.e_machine == llvm::ELF::EM_CUDA;
}

namespace {
/// Runs ptxas once, and reports failures.
class Assembler {
public:
  Assembler(Location loc, StringRef ptxas) : loc(loc), ptxas(ptxas) {}

  FailureOr<Cubin> run(StringRef ptx, StringRef architecture, bool strict);

private:
  InFlightDiagnostic refuse(llvm::Error error) const {
    return emitError(loc) << "cannot make a cubin: "
                          << llvm::toString(std::move(error));
  }
  /// Returns the text that ptxas printed, if it succeeded.
  FailureOr<std::string> execute(StringRef architecture, StringRef input,
                                 StringRef output) const;

  Location loc;
  StringRef ptxas;
};
} // namespace

FailureOr<std::string> Assembler::execute(StringRef architecture,
                                          StringRef input,
                                          StringRef output) const {
  std::string arch = ("-arch=" + architecture).str();
  ProgramResult result =
      runProgram(ptxas, {ptxas, "-v", arch, input, "-o", output});
  std::string text = result.output + result.errors;
  if (result.succeeded())
    return text;
  InFlightDiagnostic diag = emitError(loc) << ptxas << " failed";
  if (!result.problem.empty())
    diag << ": " << result.problem;
  if (!text.empty())
    diag.attachNote() << text;
  return diag;
}

FailureOr<Cubin> Assembler::run(StringRef ptx, StringRef architecture,
                                bool strict) {
  llvm::Expected<TemporaryFile> input = TemporaryFile::create("ptx");
  if (!input)
    return refuse(input.takeError());
  llvm::Expected<TemporaryFile> output = TemporaryFile::create("cubin");
  if (!output)
    return refuse(output.takeError());
  if (llvm::Error error = input->write(ptx))
    return refuse(std::move(error));
  FailureOr<std::string> log =
      execute(architecture, input->getPath(), output->getPath());
  if (failed(log))
    return failure();
  Cubin cubin;
  cubin.report = parsePtxasReport(*log);
  if (failed(judge(loc, cubin.report, strict)))
    return failure();
  llvm::Expected<std::string> image = output->read();
  if (!image)
    return refuse(image.takeError());
  if (!isCubin(*image)) {
    InFlightDiagnostic diag = emitError(loc)
                              << "cannot make a cubin: " << ptxas
                              << " says that it succeeded, but what it wrote ("
                              << image->size() << " bytes) is none";
    if (!log->empty())
      diag.attachNote() << *log;
    return diag;
  }
  cubin.image = std::move(*image);
  return cubin;
}

FailureOr<Cubin> grout::assemblePTX(Location loc, StringRef ptx,
                                    StringRef architecture,
                                    const PtxasOptions &options) {
  if (std::optional<std::string> ptxas = findPtxas(options))
    return Assembler(loc, *ptxas).run(ptx, architecture, options.strict);
  InFlightDiagnostic diag = emitError(loc) << "cannot make a cubin: ";
  if (options.path.empty())
    diag << "found no ptxas; set CUDA_HOME, or ask for PTX only";
  else
    diag << "cannot execute '" << options.path << "'";
  return diag;
}
