//===- DeviceArena.cpp - A session's memory on the GPU --------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/RuntimeSupport/Cuda/DeviceArena.h"

#include "grout/RuntimeSupport/CheckedMath.h"
#include "grout/RuntimeSupport/Cuda/StreamObjects.h"

using namespace grout;
using namespace grout::runtime;
using namespace grout::runtime::cuda;

DeviceArena::~DeviceArena() {
  if (base)
    driver->memFree(base);
}

uint64_t DeviceArena::reserve(Part part) {
  part.offset = size;
  size += roundUp(part.bytes, GROUT_BUFFER_ALIGNMENT);
  parts.push_back(part);
  return part.offset;
}

uint64_t DeviceArena::reserveFilled(uint64_t bytes, unsigned char fill) {
  return reserve({0, bytes, nullptr, fill});
}

uint64_t DeviceArena::reserveCopy(const void *data, uint64_t bytes) {
  return reserve({0, bytes, data, 0});
}

Status DeviceArena::enqueueContents(Stream stream) const {
  for (const Part &part : parts) {
    if (part.bytes == 0)
      continue;
    if (part.data)
      GROUT_RETURN_IF_CUDA_ERROR(
          *driver,
          memcpyHtoDAsync(base + part.offset, part.data, part.bytes, stream),
          "copy constants and tasks to the GPU");
    else
      GROUT_RETURN_IF_CUDA_ERROR(
          *driver,
          memsetD8Async(base + part.offset, part.fill, part.bytes, stream),
          "fill device memory");
  }
  return Status::ok();
}

Status DeviceArena::allocate(const DriverFunctions &functions) {
  if (size == 0)
    return Status::ok();
  Result result = functions.memAlloc(&base, size);
  if (result != kSuccess) {
    base = 0;
    return driverError(functions, result,
                       "allocate " + std::to_string(size) +
                           " bytes of device memory");
  }
  driver = &functions;
  OwnedStream stream;
  GROUT_RETURN_IF_ERROR(stream.create(functions));
  GROUT_RETURN_IF_ERROR(enqueueContents(stream.get()));
  GROUT_RETURN_IF_CUDA_ERROR(functions, streamSynchronize(stream.get()),
                             "initialise device memory");
  return Status::ok();
}
