//===- DriverModule.h - Code that the driver has loaded ---------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_RUNTIMESUPPORT_CUDA_DRIVERMODULE_H
#define GROUT_RUNTIMESUPPORT_CUDA_DRIVERMODULE_H

#include "grout/RuntimeSupport/Cuda/Driver.h"

namespace grout {
namespace runtime {
namespace cuda {

/// Owns a module of the CUDA driver, and unloads it. The context must be
/// current when the module is loaded and when this object is destroyed.
class DriverModule {
public:
  DriverModule() = default;
  DriverModule(const DriverModule &) = delete;
  DriverModule &operator=(const DriverModule &) = delete;
  ~DriverModule();

  /// Loads a cubin, whose bytes must be aligned as the driver may assume.
  Status loadCubin(const DriverFunctions &driver, const void *bytes);

  /// Compiles PTX, which must end with a NUL.
  Status loadPtx(const DriverFunctions &driver, const char *text);

  Status lookUp(const char *name, Function &function) const;

  /// Finds a variable of the module. `address` is 0 if there is none of this
  /// name.
  Status lookUpVariable(const char *name, DevicePtr &address,
                        size_t &bytes) const;

private:
  Status load(const DriverFunctions &driver, const void *bytes,
              const char *action);

  const DriverFunctions *driver = nullptr;
  Module module = nullptr;
};

} // namespace cuda
} // namespace runtime
} // namespace grout

#endif // GROUT_RUNTIMESUPPORT_CUDA_DRIVERMODULE_H
