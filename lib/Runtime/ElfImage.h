//===- ElfImage.h - The header of an ELF image ------------------*- C++ -*-===//
//
// Part of Grout. Enough of ELF to refuse bytes that are no 64-bit little-endian
// image, or whose tables lie outside of the bytes.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_RUNTIME_ELFIMAGE_H
#define GROUT_LIB_RUNTIME_ELFIMAGE_H

#include "Status.h"

#include <cstddef>
#include <cstdint>

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

} // namespace runtime
} // namespace grout

#endif // GROUT_LIB_RUNTIME_ELFIMAGE_H
