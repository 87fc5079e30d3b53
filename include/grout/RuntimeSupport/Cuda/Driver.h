//===- Driver.h - Finding the CUDA driver and a GPU -------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_RUNTIMESUPPORT_CUDA_DRIVER_H
#define GROUT_RUNTIMESUPPORT_CUDA_DRIVER_H

#include "grout/RuntimeSupport/Cuda/CudaDriver.h"
#include "grout/RuntimeSupport/Status.h"

#include <string>

namespace grout {
namespace runtime {
namespace cuda {

/// Opens libcuda.so.1 once for the process, and initialises it. Later calls
/// return the same functions, or the same error.
Status openDriver(const DriverFunctions *&driver);

/// Returns an error for a failed driver call. `what` says what the call was
/// for.
Status driverError(const DriverFunctions &driver, Result result,
                   const std::string &what);

/// Properties of a GPU that Grout uses.
struct DeviceInfo {
  Device device = 0;
  std::string name;
  int major = 0;
  int minor = 0;
  int processors = 0;

  /// "sm_90".
  std::string architecture() const {
    return "sm_" + std::to_string(major) + std::to_string(minor);
  }
};

Status findDevice(const DriverFunctions &driver, int ordinal, DeviceInfo &info);

/// Retains the primary context of a device, and releases it on destruction.
class PrimaryContext {
public:
  PrimaryContext() = default;
  PrimaryContext(const PrimaryContext &) = delete;
  PrimaryContext &operator=(const PrimaryContext &) = delete;
  ~PrimaryContext();

  Status retain(const DriverFunctions &driver, Device device);
  Context get() const { return context; }

private:
  const DriverFunctions *driver = nullptr;
  Device device = 0;
  Context context = nullptr;
};

/// Makes a context current for the lifetime of this object.
class ScopedContext {
public:
  ScopedContext(const DriverFunctions &driver, Context context)
      : driver(driver), result(driver.ctxPushCurrent(context)) {}
  ScopedContext(const ScopedContext &) = delete;
  ScopedContext &operator=(const ScopedContext &) = delete;
  ~ScopedContext() {
    Context popped;
    if (result == kSuccess)
      driver.ctxPopCurrent(&popped);
  }
  Status status() const {
    return result == kSuccess
               ? Status::ok()
               : driverError(driver, result, "make the context current");
  }

private:
  const DriverFunctions &driver;
  Result result;
};

} // namespace cuda
} // namespace runtime
} // namespace grout

/// Returns a Status from the enclosing function if a driver call fails.
#define GROUT_RETURN_IF_CUDA_ERROR(driver, call, what)                         \
  do {                                                                         \
    ::grout::runtime::cuda::Result cudaResult = (driver).call;                 \
    if (cudaResult != ::grout::runtime::cuda::kSuccess)                        \
      return ::grout::runtime::cuda::driverError(driver, cudaResult, what);    \
  } while (false)

#endif // GROUT_RUNTIMESUPPORT_CUDA_DRIVER_H
