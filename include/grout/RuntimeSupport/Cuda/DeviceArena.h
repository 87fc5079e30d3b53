//===- DeviceArena.h - A session's memory on the GPU ------------*- C++ -*-===//
//
// Part of Grout. One allocation holds everything that is the session's own:
// intermediates, constants, synchronisation states and task lists.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_RUNTIMESUPPORT_CUDA_DEVICEARENA_H
#define GROUT_RUNTIMESUPPORT_CUDA_DEVICEARENA_H

#include "grout/RuntimeSupport/Cuda/Driver.h"

#include <vector>

namespace grout {
namespace runtime {
namespace cuda {

class DeviceArena {
public:
  DeviceArena() = default;
  DeviceArena(const DeviceArena &) = delete;
  DeviceArena &operator=(const DeviceArena &) = delete;
  ~DeviceArena();

  /// Plans `bytes` that are filled with `fill`, and returns their offset.
  uint64_t reserveFilled(uint64_t bytes, unsigned char fill);
  /// Plans a copy of `bytes` bytes at `data`, which must live until `allocate`.
  uint64_t reserveCopy(const void *data, uint64_t bytes);

  /// Allocates and fills what was planned, and waits until that is done. The
  /// context must be current, here and when the owner ends.
  Status allocate(const DriverFunctions &driver);

  DevicePtr address(uint64_t offset) const { return base + offset; }

private:
  struct Part {
    uint64_t offset, bytes;
    const void *data; // null: filled
    unsigned char fill;
  };
  uint64_t reserve(Part part);
  Status enqueueContents(Stream stream) const;

  const DriverFunctions *driver = nullptr;
  DevicePtr base = 0;
  uint64_t size = 0;
  std::vector<Part> parts;
};

} // namespace cuda
} // namespace runtime
} // namespace grout

#endif // GROUT_RUNTIMESUPPORT_CUDA_DEVICEARENA_H
