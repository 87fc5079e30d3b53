//===- DeviceLibrary.cpp - CUDA's library of functions --------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "DeviceLibrary.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace grout;

static constexpr llvm::StringLiteral kPrefix = "__nv_";

/// Returns the path of libdevice in the CUDA toolkit in `directory`.
static std::optional<std::string> findDeviceLibraryIn(StringRef directory) {
  llvm::SmallString<128> path(directory);
  llvm::sys::path::append(path, "nvvm", "libdevice", "libdevice.10.bc");
  if (llvm::sys::fs::exists(path))
    return std::string(path.str());
  return std::nullopt;
}

std::optional<std::string> grout::findDeviceLibrary() {
  for (const char *variable : {"CUDA_HOME", "CUDA_ROOT", "CUDA_PATH"})
    if (std::optional<std::string> directory =
            llvm::sys::Process::GetEnv(variable))
      if (std::optional<std::string> path = findDeviceLibraryIn(*directory))
        return path;
  return findDeviceLibraryIn("/usr/local/cuda");
}

std::string grout::getDeviceFunction(Operation *op) {
  if (isa<math::PowFOp>(op))
    return (kPrefix + "pow").str();
  bool isThere =
      isa<math::AcosOp, math::AcoshOp, math::AsinOp, math::AsinhOp,
          math::AtanOp, math::Atan2Op, math::AtanhOp, math::CbrtOp, math::CosOp,
          math::CoshOp, math::ErfOp, math::ErfcOp, math::ExpOp, math::Exp2Op,
          math::ExpM1Op, math::LogOp, math::Log10Op, math::Log1pOp,
          math::Log2Op, math::SinOp, math::SinhOp, math::TanOp, math::TanhOp>(
          op);
  return isThere ? (kPrefix + op->getName().stripDialect()).str() : "";
}

/// Whether `module` calls functions of libdevice that it does not define.
static bool needsLibrary(const llvm::Module &module) {
  return llvm::any_of(module, [](const llvm::Function &function) {
    return function.isDeclaration() && function.getName().starts_with(kPrefix);
  });
}

/// Gives the functions that were linked from the library internal linkage.
static void hideFunctions(llvm::Module &module,
                          const llvm::StringSet<> &linked) {
  for (const auto &entry : linked)
    if (llvm::GlobalValue *value = module.getNamedValue(entry.getKey());
        value && !value->isDeclaration())
      value->setLinkage(llvm::GlobalValue::InternalLinkage);
}

LogicalResult grout::linkDeviceLibrary(Location loc, llvm::Module &module) {
  if (!needsLibrary(module))
    return success();
  std::optional<std::string> path = findDeviceLibrary();
  if (!path)
    return emitError(loc) << "found no libdevice; set CUDA_HOME";
  llvm::SMDiagnostic problem;
  std::unique_ptr<llvm::Module> library =
      llvm::parseIRFile(*path, problem, module.getContext());
  if (!library)
    return emitError(loc) << "cannot read '" << *path
                          << "': " << problem.getMessage();
  // The triple and the data layout of the library stand for all GPUs.
  library->setTargetTriple(module.getTargetTriple());
  library->setDataLayout(module.getDataLayout());
  if (llvm::Linker::linkModules(module, std::move(library),
                                llvm::Linker::LinkOnlyNeeded, hideFunctions))
    return emitError(loc) << "cannot link '" << *path << "'";
  return success();
}
