//===- KernelParametersTest.cpp - Parameters, as the code tells of them ---===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "Cuda/KernelParameters.h"

#include "gtest/gtest.h"

#include <elf.h>

#include <cstring>
#include <vector>

using namespace grout::runtime::cuda;

namespace {

TEST(KernelParameters, PtxListsThem) {
  const char *text = R"(
.version 8.0
.target sm_90a
// .entry comment(.param .u64 a)
/* .entry comment(.param .u64 a) */
.visible .func helper(.param .u64 a) { ret; }
.visible .entry tiles_1(
	.param .u64 .ptr .global .align 16 tiles_1_param_0, // .param
	.param .align 64 .b8 tiles_1_param_1[128],
	.param .u32 tiles_1_param_2
)
.maxntid 128, 1, 1
{
  .param .u64 local;
  ret;
}
.visible .entry tiles() { ret; }
.visible .entry none
{ ret; })";
  EXPECT_EQ(countParametersInPtx(text, "tiles_1"), 3u);
  EXPECT_EQ(countParametersInPtx(text, "tiles"), 0u);
  EXPECT_EQ(countParametersInPtx(text, "none"), 0u);
  EXPECT_EQ(countParametersInPtx(text, "comment"), std::nullopt);
  EXPECT_EQ(countParametersInPtx(text, "helper"), std::nullopt);
  EXPECT_EQ(countParametersInPtx("", "none"), std::nullopt);
  // Cut anywhere, it is still read to its end only.
  for (size_t size = 0; size != std::strlen(text); ++size)
    countParametersInPtx({text, size}, "tiles_1");
}

/// The start of a cubin: a .nv.info section of `entries` for kernel "k".
std::vector<uint8_t> makeCubin(const std::vector<uint8_t> &entries) {
  const char names[] = "\0.shstrtab\0.nv.info.k";
  Elf64_Ehdr header = {};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_shentsize = sizeof(Elf64_Shdr);
  header.e_shnum = 3;
  header.e_shstrndx = 1;
  header.e_shoff = sizeof(header);
  Elf64_Shdr sections[3] = {};
  sections[1].sh_name = 1;
  sections[1].sh_type = SHT_STRTAB;
  sections[1].sh_offset = sizeof(header) + sizeof(sections);
  sections[1].sh_size = sizeof(names);
  sections[2].sh_name = sizeof("\0.shstrtab");
  sections[2].sh_type = SHT_LOPROC;
  sections[2].sh_offset = sections[1].sh_offset + sizeof(names);
  sections[2].sh_size = entries.size();
  std::vector<uint8_t> bytes;
  auto append = [&](const void *data, size_t size) {
    const auto *from = static_cast<const uint8_t *>(data);
    bytes.insert(bytes.end(), from, from + size);
  };
  append(&header, sizeof(header));
  append(sections, sizeof(sections));
  append(names, sizeof(names));
  append(entries.data(), entries.size());
  return bytes;
}

std::optional<size_t> countIn(const std::vector<uint8_t> &cubin) {
  return countParametersInCubin(cubin.data(), cubin.size(), "k");
}

// As ptxas writes them: a format, an attribute, and a value or a size.
const std::vector<uint8_t> kOther = {3, 0x1b, 255, 0};
const std::vector<uint8_t> kParameter = {4, 0x17, 12, 0, 0, 0, 0, 0,
                                         0, 0,    0,  0, 0, 0, 0, 0};
const std::vector<uint8_t> kBytes = {3, 0x19, 16, 0};

std::vector<uint8_t> join(std::initializer_list<std::vector<uint8_t>> parts) {
  std::vector<uint8_t> whole;
  for (const std::vector<uint8_t> &part : parts)
    whole.insert(whole.end(), part.begin(), part.end());
  return whole;
}

TEST(KernelParameters, CubinsDescribeThem) {
  std::vector<uint8_t> two = join({kOther, kParameter, kParameter, kBytes});
  EXPECT_EQ(countIn(makeCubin(two)), 2u);
  EXPECT_EQ(countIn(makeCubin(kOther)), 0u);
  EXPECT_EQ(countIn(makeCubin({})), 0u);
  std::vector<uint8_t> cubin = makeCubin(two);
  EXPECT_EQ(countParametersInCubin(cubin.data(), cubin.size(), "other"),
            std::nullopt);
}

TEST(KernelParameters, OtherFormsAreNotGuessedAt) {
  EXPECT_EQ(countIn(makeCubin(join({kOther, kBytes}))), std::nullopt);
  EXPECT_EQ(countIn(makeCubin(join({kOther, kParameter}))), std::nullopt);
  EXPECT_EQ(countIn(makeCubin({4, 0x17, 12, 0, 0})), std::nullopt);
}

TEST(KernelParameters, DamagedCubinsAreNotReadBeyondTheirEnd) {
  std::vector<uint8_t> cubin =
      makeCubin(join({kOther, kParameter, kParameter, kBytes}));
  for (size_t size = 0; size != cubin.size(); ++size)
    countIn({cubin.begin(), cubin.begin() + static_cast<ptrdiff_t>(size)});
  for (uint8_t value : {0x00, 0x7f, 0x80, 0xff})
    for (uint8_t &byte : cubin) {
      uint8_t right = byte;
      byte = value;
      countIn(cubin);
      byte = right;
    }
}

} // namespace
