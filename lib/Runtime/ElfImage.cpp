//===- ElfImage.cpp - The contents of an ELF image ------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "ElfImage.h"
#include "Validate.h"
#include "grout/RuntimeSupport/CheckedMath.h"

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

/// Returns the header of section `index`, if it is in the image.
static std::optional<Elf64_Shdr> readSectionHeader(const uint8_t *bytes,
                                                   size_t size,
                                                   const Elf64_Ehdr &header,
                                                   size_t index) {
  Elf64_Shdr section;
  // readElfImage has checked the table.
  if (index >= header.e_shnum || header.e_shentsize < sizeof(section))
    return std::nullopt;
  std::memcpy(&section, bytes + header.e_shoff + index * header.e_shentsize,
              sizeof(section));
  if (section.sh_type != SHT_NOBITS &&
      !fits(section.sh_offset, section.sh_size, size))
    return std::nullopt;
  return section;
}

std::optional<ElfSection> runtime::findElfSection(const uint8_t *bytes,
                                                  size_t size,
                                                  const std::string &name) {
  ElfImage image;
  if (readElfImage(bytes, size, image).isError())
    return std::nullopt;
  Elf64_Ehdr header;
  std::memcpy(&header, bytes, sizeof(header));
  std::optional<Elf64_Shdr> names =
      readSectionHeader(bytes, size, header, header.e_shstrndx);
  if (!names || names->sh_type != SHT_STRTAB)
    return std::nullopt;
  const uint8_t *text = bytes + names->sh_offset;
  for (size_t i = 0; i != header.e_shnum; ++i) {
    std::optional<Elf64_Shdr> section =
        readSectionHeader(bytes, size, header, i);
    // The name's NUL must be in the table, too.
    if (section && section->sh_type != SHT_NOBITS &&
        fits(section->sh_name, name.size() + 1, names->sh_size) &&
        std::memcmp(text + section->sh_name, name.c_str(), name.size() + 1) ==
            0)
      return ElfSection{bytes + section->sh_offset, section->sh_size};
  }
  return std::nullopt;
}
