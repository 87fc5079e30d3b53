//===- KernelModules.cpp - Compiles the kernels of an artifact ------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "PlanWriter.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace grout;

static FailureOr<artifact::ModuleT>
compileHost(ModuleOp kernels, const ArtifactOptions &options) {
  FailureOr<SmallVector<char>> object =
      compileSharedObject(kernels, options.native);
  if (failed(object))
    return failure();
  artifact::ModuleT result;
  result.kind = artifact::ModuleKind::SharedObject;
  result.target = getNativeTargetName();
  result.data.assign(object->begin(), object->end());
  return result;
}

static FailureOr<artifact::ModuleT>
compileDevice(gpu::GPUModuleOp kernels, const ArtifactOptions &options) {
  FailureOr<std::string> ptx = translateToPTX(kernels);
  if (failed(ptx))
    return failure();
  artifact::ModuleT result;
  // translateToPTX has checked that there is exactly one target.
  result.target =
      cast<NVVM::NVVMTargetAttr>((*kernels.getTargets())[0]).getChip().str();
  // The driver takes PTX as a C string.
  std::vector<uint8_t> text(ptx->begin(), ptx->end());
  text.push_back(0);
  if (!options.ptxas) {
    result.kind = artifact::ModuleKind::Ptx;
    result.data = std::move(text);
    return result;
  }
  FailureOr<Cubin> cubin =
      assemblePTX(kernels.getLoc(), *ptx, result.target, *options.ptxas);
  if (failed(cubin))
    return failure();
  result.kind = artifact::ModuleKind::Cubin;
  result.data.assign(cubin->image.begin(), cubin->image.end());
  result.ptx = std::move(text);
  return result;
}

static FailureOr<artifact::ModuleT> compile(Operation *kernels,
                                            const ArtifactOptions &options) {
  if (auto host = dyn_cast<ModuleOp>(kernels))
    return compileHost(host, options);
  if (auto device = dyn_cast<gpu::GPUModuleOp>(kernels))
    return compileDevice(device, options);
  return kernels->emitError()
         << "'" << kernels->getName() << "' is not a module of kernels";
}

FailureOr<uint32_t> KernelModules::getIndex(launch::KernelOp kernel) {
  Operation *kernels = SymbolTable::lookupSymbolIn(module, kernel.getModule());
  if (!kernels)
    return kernel.emitOpError() << "names module " << kernel.getModuleAttr()
                                << ", which does not exist";
  auto [it, isNew] = indices.try_emplace(kernels, compiled.size());
  if (!isNew)
    return it->second;
  FailureOr<artifact::ModuleT> code = compile(kernels, options);
  if (failed(code))
    return failure();
  compiled.push_back(std::make_unique<artifact::ModuleT>(std::move(*code)));
  return it->second;
}
