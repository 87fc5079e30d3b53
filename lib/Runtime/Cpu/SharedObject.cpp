//===- SharedObject.cpp - Code loaded from memory -------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "SharedObject.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

using namespace grout;
using namespace grout::runtime;

SharedObject::SharedObject(SharedObject &&other) noexcept
    : handle(std::exchange(other.handle, nullptr)),
      file(std::exchange(other.file, -1)) {}

SharedObject::~SharedObject() {
  if (handle)
    dlclose(handle);
  if (file != -1)
    close(file);
}

static Status systemError(const char *what) {
  return Status::error(GROUT_ERROR_LOAD, "cannot ", what,
                       " for the tile bodies: ", std::strerror(errno));
}

/// Creates a file without a name, for executable code.
static Status createFile(int &file) {
  file = memfd_create("grout-tile-bodies", MFD_CLOEXEC);
  if (file != -1)
    return Status::ok();
  // If the system has no memfd_create, use a temporary directory.
  const char *directory = std::getenv("TMPDIR");
  std::string path = directory && *directory ? directory : "/tmp";
  path += "/grout-tile-bodies-XXXXXX";
  file = mkostemp(path.data(), O_CLOEXEC);
  if (file == -1)
    return systemError("create a temporary file");
  unlink(path.c_str());
  return Status::ok();
}

static Status writeAll(int file, const uint8_t *bytes, size_t size) {
  while (size) {
    ssize_t count = write(file, bytes, size);
    if (count == -1 && errno == EINTR)
      continue;
    if (count <= 0)
      return systemError("write a temporary file");
    bytes += count;
    size -= static_cast<size_t>(count);
  }
  return Status::ok();
}

Status SharedObject::load(const uint8_t *bytes, size_t size) {
  GROUT_RETURN_IF_ERROR(createFile(file));
  GROUT_RETURN_IF_ERROR(writeAll(file, bytes, size));
  std::string path = "/proc/self/fd/" + std::to_string(file);
  handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle)
    return Status::error(GROUT_ERROR_LOAD,
                         "cannot load the tile bodies: ", dlerror());
  return Status::ok();
}

void *SharedObject::lookup(const char *name) const {
  return dlsym(handle, name);
}
