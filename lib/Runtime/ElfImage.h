//===- ElfImage.h - The contents of an ELF image ----------------*- C++ -*-===//
//
// Part of Grout. Reads enough of ELF to refuse bytes that are not a 64-bit
// little-endian image, or whose tables lie outside of the bytes, and to find a
// section.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_RUNTIME_ELFIMAGE_H
#define GROUT_LIB_RUNTIME_ELFIMAGE_H

#include "grout/RuntimeSupport/Status.h"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace grout {
namespace runtime {

constexpr uint16_t kElfMachineX86_64 = 62;
constexpr uint16_t kElfMachineAArch64 = 183;
constexpr uint16_t kElfMachineCuda = 190;

struct ElfImage {
  uint16_t type = 0;
  uint16_t machine = 0;
};

/// ELF's type of a shared object.
constexpr uint16_t kElfTypeShared = 3;

Status readElfImage(const uint8_t *bytes, size_t size, ElfImage &image);

/// The bytes of a section.
struct ElfSection {
  const uint8_t *bytes;
  size_t size;
};

/// Returns the first section called `name`, if there is one and it lies within
/// the image. The image may consist of any bytes.
std::optional<ElfSection> findElfSection(const uint8_t *bytes, size_t size,
                                         const std::string &name);

} // namespace runtime
} // namespace grout

#endif // GROUT_LIB_RUNTIME_ELFIMAGE_H
