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

/// Owns a shared object that is loaded into this process, and unloads it.
class SharedObject {
public:
  SharedObject() = default;
  SharedObject(SharedObject &&other) noexcept;
  SharedObject &operator=(SharedObject &&) = delete;
  ~SharedObject();

  /// Loads an image from memory, and binds all its symbols.
  Status load(const uint8_t *bytes, size_t size);

  /// Returns the address of a symbol, or null.
  void *lookup(const char *name) const;

private:
  void *handle = nullptr;
  /// The file of the image, which stays open until the image is unloaded. The
  /// path of the image contains this number, and glibc takes two images of the
  /// same path for one library.
  int file = -1;
};

} // namespace runtime
} // namespace grout

#endif // GROUT_LIB_RUNTIME_CPU_SHAREDOBJECT_H
