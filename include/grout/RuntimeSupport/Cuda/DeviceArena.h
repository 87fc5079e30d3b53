//===- DeviceArena.h - A session's memory on the GPU ------------*- C++ -*-===//
//
// Part of Grout. One allocation holds all memory that belongs to a session:
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

  /// Reserves `bytes` bytes, which `allocate` fills with `fill`. Returns their
  /// offset.
  uint64_t reserveFilled(uint64_t bytes, unsigned char fill);
  /// Reserves `bytes` bytes, which `allocate` copies from `data`; `data` must
  /// live until then. Returns their offset.
  uint64_t reserveCopy(const void *data, uint64_t bytes);

  /// Allocates and fills all reserved bytes, and waits until this is done. The
  /// context must be current here and when this object is destroyed.
  Status allocate(const DriverFunctions &driver);

  DevicePtr address(uint64_t offset) const { return base + offset; }

private:
  struct Part {
    uint64_t offset, bytes;
    const void *data; // null: fill
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
