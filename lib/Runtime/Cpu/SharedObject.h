//===- SharedObject.h - Code loaded from memory -----------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_RUNTIME_CPU_SHAREDOBJECT_H
#define GROUT_LIB_RUNTIME_CPU_SHAREDOBJECT_H

#include "grout/RuntimeSupport/Status.h"

#include <cstddef>
#include <cstdint>

namespace grout {
namespace runtime {

/// A shared object of this process, unloaded with the owner.
class SharedObject {
public:
  SharedObject() = default;
  SharedObject(SharedObject &&other) noexcept;
  SharedObject &operator=(SharedObject &&) = delete;
  ~SharedObject();

  /// Loads an image from memory, with all its symbols bound.
  Status load(const uint8_t *bytes, size_t size);

  /// The address of a symbol, or null.
  void *lookup(const char *name) const;

private:
  void *handle = nullptr;
  /// The file behind the image. glibc takes two images with one path for one
  /// library, and the path holds this number, so it stays ours until unloading.
  int file = -1;
};

} // namespace runtime
} // namespace grout

#endif // GROUT_LIB_RUNTIME_CPU_SHAREDOBJECT_H
