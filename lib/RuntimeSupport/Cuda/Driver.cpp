//===- Driver.cpp - Finding the CUDA driver and a GPU ---------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/RuntimeSupport/Cuda/Driver.h"

#include <dlfcn.h>

using namespace grout;
using namespace grout::runtime;
using namespace grout::runtime::cuda;

namespace {
struct OpenedDriver {
  DriverFunctions functions;
  Status status = open();

  Status open();
  Status lookUp(void *library);
};
} // namespace

Status OpenedDriver::lookUp(void *library) {
  std::string missing;
#define GROUT_CUDA_LOOK_UP(name, symbol, parameters)                           \
  functions.name =                                                             \
      reinterpret_cast<decltype(functions.name)>(dlsym(library, symbol));
#define GROUT_CUDA_REQUIRE(name, symbol, parameters)                           \
  GROUT_CUDA_LOOK_UP(name, symbol, parameters)                                 \
  if (!functions.name && missing.empty())                                      \
    missing = symbol;
  GROUT_CUDA_FUNCTIONS(GROUT_CUDA_REQUIRE)
  GROUT_CUDA_OPTIONAL_FUNCTIONS(GROUT_CUDA_LOOK_UP)
#undef GROUT_CUDA_REQUIRE
#undef GROUT_CUDA_LOOK_UP
  if (!missing.empty())
    return Status::error(GROUT_ERROR_DRIVER_TOO_OLD,
                         "the CUDA driver library has no ", missing,
                         "; Grout needs a driver for CUDA 12.0 or later");
  return Status::ok();
}

Status OpenedDriver::open() {
  // Never closed, because the driver cannot be unloaded.
  void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return Status::error(GROUT_ERROR_NO_DEVICE,
                         "there is no CUDA driver library: ", dlerror());
  GROUT_RETURN_IF_ERROR(lookUp(library));
  // This call works before initialisation and without a working GPU.
  int version = 0;
  GROUT_RETURN_IF_CUDA_ERROR(functions, driverGetVersion(&version),
                             "ask for the driver's version");
  if (version < kOldestDriver)
    return Status::error(GROUT_ERROR_DRIVER_TOO_OLD,
                         "the CUDA driver is for CUDA ", version / 1000, ".",
                         version % 1000 / 10, "; Grout needs 12.0 or later");
  Result result = functions.init(0);
  if (result == kErrorNoDevice)
    return Status::error(GROUT_ERROR_NO_DEVICE, "the CUDA driver finds no GPU");
  if (result != kSuccess)
    return driverError(functions, result, "initialise the CUDA driver");
  return Status::ok();
}

Status cuda::openDriver(const DriverFunctions *&driver) {
  static const OpenedDriver opened;
  driver = &opened.functions;
  return opened.status;
}

Status cuda::driverError(const DriverFunctions &driver, Result result,
                         const std::string &what) {
  const char *name = nullptr;
  const char *text = nullptr;
  if (driver.getErrorName(result, &name) != kSuccess || !name)
    name = "unknown error";
  if (driver.getErrorString(result, &text) != kSuccess || !text)
    text = "no description";
  return Status::error(result == kErrorOutOfMemory ? GROUT_ERROR_OUT_OF_MEMORY
                                                   : GROUT_ERROR_CUDA,
                       "CUDA cannot ", what, ": ", name, " (", result, ", ",
                       text, ")");
}

Status cuda::findDevice(const DriverFunctions &driver, int ordinal,
                        DeviceInfo &info) {
  int count = 0;
  GROUT_RETURN_IF_CUDA_ERROR(driver, deviceGetCount(&count), "count GPUs");
  if (ordinal < 0 || ordinal >= count)
    return Status::error(GROUT_ERROR_NO_DEVICE, "there is no GPU ", ordinal,
                         "; the CUDA driver finds ", count);
  GROUT_RETURN_IF_CUDA_ERROR(driver, deviceGet(&info.device, ordinal),
                             "open the GPU");
  char name[256] = {};
  GROUT_RETURN_IF_CUDA_ERROR(driver,
                             deviceGetName(name, sizeof(name) - 1, info.device),
                             "ask for the GPU's name");
  info.name = name;
  struct {
    DeviceAttribute attribute;
    int *value;
  } queries[] = {{kDeviceComputeCapabilityMajor, &info.major},
                 {kDeviceComputeCapabilityMinor, &info.minor},
                 {kDeviceMultiprocessorCount, &info.processors}};
  for (const auto &query : queries)
    GROUT_RETURN_IF_CUDA_ERROR(
        driver, deviceGetAttribute(query.value, query.attribute, info.device),
        "ask for a property of the GPU");
  return Status::ok();
}

PrimaryContext::~PrimaryContext() {
  if (context)
    driver->devicePrimaryCtxRelease(device);
}

Status PrimaryContext::retain(const DriverFunctions &functions,
                              Device ofDevice) {
  GROUT_RETURN_IF_CUDA_ERROR(functions,
                             devicePrimaryCtxRetain(&context, ofDevice),
                             "open the primary context of the GPU");
  driver = &functions;
  device = ofDevice;
  return Status::ok();
}
