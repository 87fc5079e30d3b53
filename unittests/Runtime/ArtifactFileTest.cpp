//===- ArtifactFileTest.cpp - The file header -----------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Runtime/ArtifactFile.h"
#include "TestArtifacts.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace grout;
using namespace grout::artifact;
using testing::HasSubstr;

namespace {

std::vector<uint8_t> file() {
  return test::serialise(test::makeChain(test::fakeElf(62)));
}

/// Loads bytes that must be refused; returns the message.
std::string loadError(const std::vector<uint8_t> &bytes,
                      grout_status expected) {
  grout_module *module = nullptr;
  EXPECT_EQ(grout_module_load_memory(bytes.data(), bytes.size(), &module),
            expected);
  EXPECT_EQ(module, nullptr);
  return grout_last_error();
}

TEST(ArtifactFile, ChecksumIsFnv1a) {
  // Test vectors of the FNV specification (draft-eastlake-fnv).
  EXPECT_EQ(checksum("", 0), 0xcbf29ce484222325u);
  EXPECT_EQ(checksum("a", 1), 0xaf63dc4c8601ec8cu);
  EXPECT_EQ(checksum("foobar", 6), 0x85944171f73967e8u);
}

TEST(ArtifactFile, HeaderHasTheSpecifiedBytes) {
  std::vector<uint8_t> wrapped = wrapArtifact("foobar", 6);
  std::vector<uint8_t> expected = {
      'G',  'R',  'O',  'U',  'T',  0,    0xB7, 0, // magic
      9,    0,    0,    0,    64,   0,    0,    0, // version, size
      6,    0,    0,    0,    0,    0,    0,    0, // payload
      0xe8, 0x67, 0x39, 0xf7, 0x71, 0x41, 0x94, 0x85};
  expected.resize(64);
  for (char c : std::string("foobar"))
    expected.push_back(static_cast<uint8_t>(c));
  EXPECT_EQ(wrapped, expected);
  UnwrappedArtifact unwrapped = unwrapArtifact(wrapped.data(), wrapped.size());
  EXPECT_EQ(unwrapped.error, HeaderError::None);
  EXPECT_EQ(unwrapped.payload, wrapped.data() + 64);
  EXPECT_EQ(unwrapped.size, 6u);
}

TEST(ArtifactFile, WrongMagicIsRefused) {
  std::vector<uint8_t> bytes = file();
  bytes[0] = 'X';
  EXPECT_THAT(loadError(bytes, GROUT_ERROR_INVALID_ARTIFACT),
              HasSubstr("not a Grout artifact"));
  EXPECT_THAT(loadError({0}, GROUT_ERROR_INVALID_ARTIFACT),
              HasSubstr("not a Grout artifact"));
}

TEST(ArtifactFile, NewerVersionIsRefused) {
  std::vector<uint8_t> bytes = file();
  bytes[8] = kFormatVersion + 1;
  // A newer version may have another header, so nothing after it may matter.
  bytes[12] = 99;
  EXPECT_THAT(loadError(bytes, GROUT_ERROR_NEWER_VERSION),
              HasSubstr("format version 10"));
}

TEST(ArtifactFile, OlderVersionIsRead) {
  std::vector<uint8_t> bytes = wrapArtifact("foobar", 6);
  for (uint8_t version : {1, 2}) {
    bytes[8] = version;
    EXPECT_EQ(unwrapArtifact(bytes.data(), bytes.size()).error,
              HeaderError::None);
  }
}

TEST(ArtifactFile, VersionZeroIsRefused) {
  std::vector<uint8_t> bytes = file();
  bytes[8] = 0;
  EXPECT_THAT(loadError(bytes, GROUT_ERROR_INVALID_ARTIFACT),
              HasSubstr("format version 0"));
}

TEST(ArtifactFile, EveryTruncationIsRefused) {
  std::vector<uint8_t> whole = file();
  for (size_t size = 8; size != whole.size(); ++size) {
    std::vector<uint8_t> part(whole.begin(),
                              whole.begin() + static_cast<ptrdiff_t>(size));
    ASSERT_THAT(loadError(part, GROUT_ERROR_INVALID_ARTIFACT),
                HasSubstr("truncated"));
  }
}

TEST(ArtifactFile, TrailingBytesAreRefused) {
  std::vector<uint8_t> bytes = file();
  bytes.push_back(0);
  EXPECT_THAT(loadError(bytes, GROUT_ERROR_INVALID_ARTIFACT),
              HasSubstr("followed by 1 bytes"));
}

TEST(ArtifactFile, EveryFlippedPayloadByteIsRefused) {
  std::vector<uint8_t> bytes = file();
  for (size_t i = kHeaderSize; i != bytes.size(); ++i) {
    bytes[i] ^= 0x10;
    ASSERT_THAT(loadError(bytes, GROUT_ERROR_INVALID_ARTIFACT),
                HasSubstr("checksum"));
    bytes[i] ^= 0x10;
  }
}

TEST(ArtifactFile, ReservedBytesMustBeZero) {
  std::vector<uint8_t> bytes = file();
  bytes[63] = 1;
  EXPECT_THAT(loadError(bytes, GROUT_ERROR_INVALID_ARTIFACT),
              HasSubstr("reserved"));
}

TEST(ArtifactFile, HeaderSizeMustBeRight) {
  std::vector<uint8_t> bytes = file();
  bytes[12] = 128;
  EXPECT_THAT(loadError(bytes, GROUT_ERROR_INVALID_ARTIFACT),
              HasSubstr("128 bytes instead of 64"));
}

TEST(ArtifactFile, AForeignFlatBufferIsRefused) {
  // Right header and checksum around something else.
  std::vector<uint8_t> bytes = wrapArtifact("no flatbuffer", 13);
  EXPECT_THAT(loadError(bytes, GROUT_ERROR_INVALID_ARTIFACT),
              HasSubstr("not a well-formed FlatBuffer"));
  bytes = wrapArtifact("", 0);
  EXPECT_THAT(loadError(bytes, GROUT_ERROR_INVALID_ARTIFACT),
              HasSubstr("not a well-formed FlatBuffer"));
}

} // namespace
