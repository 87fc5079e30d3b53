//===- AlignedBytes.h - Host memory for buffers -----------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_RUNTIMESUPPORT_ALIGNEDBYTES_H
#define GROUT_RUNTIMESUPPORT_ALIGNEDBYTES_H

#include "grout/RuntimeSupport/CheckedMath.h"
#include "grout/RuntimeSupport/Status.h"

#include <cstdlib>
#include <memory>

namespace grout {
namespace runtime {

/// Owns uninitialised bytes, aligned to GROUT_BUFFER_ALIGNMENT.
class AlignedBytes {
public:
  Status allocate(uint64_t size, const std::string &what) {
    uint64_t rounded = roundUp(size ? size : 1, GROUT_BUFFER_ALIGNMENT);
    bytes.reset(static_cast<uint8_t *>(
        std::aligned_alloc(GROUT_BUFFER_ALIGNMENT, rounded)));
    if (!bytes)
      return Status::error(GROUT_ERROR_OUT_OF_MEMORY, "cannot allocate ", size,
                           " bytes of host memory for ", what);
    count = size;
    return Status::ok();
  }

  uint8_t *data() { return bytes.get(); }
  const uint8_t *data() const { return bytes.get(); }
  uint64_t size() const { return count; }

private:
  struct Free {
    void operator()(uint8_t *pointer) const { std::free(pointer); }
  };
  std::unique_ptr<uint8_t, Free> bytes;
  uint64_t count = 0;
};

/// Filling with this byte makes any floating-point element NaN. Integers become
/// -1, and truth values neither 0 nor 1.
constexpr int kPoisonByte = 0xff;

} // namespace runtime
} // namespace grout

#endif // GROUT_RUNTIMESUPPORT_ALIGNEDBYTES_H
