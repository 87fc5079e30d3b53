//===- DriverModule.cpp - Code that the driver has loaded -----------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/RuntimeSupport/Cuda/DriverModule.h"

#include <vector>

using namespace grout::runtime;
using namespace grout::runtime::cuda;

DriverModule::~DriverModule() {
  if (module)
    driver->moduleUnload(module);
}

Status DriverModule::loadCubin(const DriverFunctions &functions,
                               const void *bytes) {
  return load(functions, bytes, "load the cubin");
}

Status DriverModule::loadPtx(const DriverFunctions &functions,
                             const char *text) {
  return load(functions, text, "compile the PTX");
}

Status DriverModule::load(const DriverFunctions &functions, const void *bytes,
                          const char *action) {
  std::vector<char> log(16384, '\0');
  JitOption options[] = {kJitErrorLogBuffer, kJitErrorLogBufferSizeBytes};
  void *values[] = {log.data(), reinterpret_cast<void *>(log.size() - 1)};
  Result result = functions.moduleLoadDataEx(&module, bytes, /*numOptions=*/2,
                                             options, values);
  if (result == kSuccess) {
    driver = &functions;
    return Status::ok();
  }
  module = nullptr;
  Status error = driverError(functions, result, action);
  const char *text = log.data();
  return Status::error(error.code() == GROUT_ERROR_OUT_OF_MEMORY
                           ? GROUT_ERROR_OUT_OF_MEMORY
                           : GROUT_ERROR_LOAD,
                       error.message(), *text ? "\n" : "", text);
}

Status DriverModule::lookUpVariable(const char *name, DevicePtr &address,
                                    size_t &bytes) const {
  address = 0;
  Result result = driver->moduleGetGlobal(&address, &bytes, module, name);
  if (result == kErrorNotFound) {
    address = 0;
    return Status::ok();
  }
  return result == kSuccess
             ? Status::ok()
             : driverError(*driver, result,
                           "find the variable '" + std::string(name) + "'");
}

Status DriverModule::lookUp(const char *name, Function &function) const {
  GROUT_RETURN_IF_CUDA_ERROR(*driver,
                             moduleGetFunction(&function, module, name),
                             std::string("find the kernel '") + name + "'");
  return Status::ok();
}
