//===- KernelModules.cpp - Compiles the kernels of an artifact ------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "PlanWriter.h"

using namespace mlir;
using namespace grout;

FailureOr<artifact::ModuleT> KernelModules::compile(Operation *kernels) {
  artifact::ModuleT result;
  if (auto native = dyn_cast<ModuleOp>(kernels)) {
    FailureOr<SmallVector<char>> object =
        compileSharedObject(native, options.native);
    if (failed(object))
      return failure();
    result.kind = artifact::ModuleKind::SharedObject;
    result.target = getNativeTargetName();
    result.data.assign(object->begin(), object->end());
    return result;
  }
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
  FailureOr<artifact::ModuleT> code = compile(kernels);
  if (failed(code))
    return failure();
  compiled.push_back(std::make_unique<artifact::ModuleT>(std::move(*code)));
  return it->second;
}
