//===- ElfImage.cpp - The header of an ELF image --------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "ElfImage.h"
#include "CheckedMath.h"
#include "Validate.h"

#include <elf.h>

#include <cstring>

using namespace grout;
using namespace grout::runtime;

Status runtime::readElfImage(const uint8_t *bytes, size_t size,
                             ElfImage &image) {
  Elf64_Ehdr header;
  if (size < sizeof(header) || std::memcmp(bytes, ELFMAG, SELFMAG) != 0)
    return invalid("the data is not an ELF image");
  std::memcpy(&header, bytes, sizeof(header));
  if (header.e_ident[EI_CLASS] != ELFCLASS64 ||
      header.e_ident[EI_DATA] != ELFDATA2LSB)
    return invalid("the ELF image is not 64-bit little-endian");
  if (!fits(header.e_shoff, uint64_t(header.e_shnum) * header.e_shentsize,
            size) ||
      !fits(header.e_phoff, uint64_t(header.e_phnum) * header.e_phentsize,
            size))
    return invalid("the ELF image is truncated");
  image.type = header.e_type;
  image.machine = header.e_machine;
  return Status::ok();
}
