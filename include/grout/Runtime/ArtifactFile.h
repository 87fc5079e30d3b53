//===- ArtifactFile.h - The header around an artifact's payload -*- C++ -*-===//
//
// Part of Grout. An artifact file is a fixed header and then a FlatBuffer
// (Artifact.fbs). The compiler adds the header to a finished FlatBuffer with
// `wrapArtifact`; the runtime checks and removes it with `unwrapArtifact`. This
// file is header-only and has no dependencies, so that the compiler, the
// runtime and other people's tools can use it. docs/Artifact.md is the
// specification.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_RUNTIME_ARTIFACTFILE_H
#define GROUT_RUNTIME_ARTIFACTFILE_H

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace grout {
namespace artifact {

/// The first bytes of every artifact file. The NULs and the non-ASCII byte
/// reveal a text-mode transfer or a truncated copy here.
constexpr unsigned char kMagic[8] = {'G', 'R', 'O', 'U', 'T', 0, 0xB7, 0};

/// The version that this code writes, and the newest version that it reads. The
/// version covers the header, Artifact.fbs and docs/KernelABI.md together.
constexpr uint32_t kFormatVersion = 9;

/// Bytes of the header. All its fields are little-endian:
///
///     offset  size  field
///          0     8  magic
///          8     4  format version
///         12     4  header size, 64
///         16     8  payload size in bytes
///         24     8  checksum of the payload: 64-bit FNV-1a
///         32    32  reserved, zero
constexpr size_t kHeaderSize = 64;

/// FlatBuffers addresses a buffer with signed 32-bit offsets.
constexpr uint64_t kMaxPayloadSize = (uint64_t(1) << 31) - 1;

/// Computes 64-bit FNV-1a (Fowler, Noll, Vo), at about a gigabyte a second. The
/// checksum finds accidental damage. It does not protect against forgery.
inline uint64_t checksum(const void *data, size_t size) {
  const auto *bytes = static_cast<const unsigned char *>(data);
  uint64_t hash = 0xcbf29ce484222325u;
  for (size_t i = 0; i != size; ++i)
    hash = (hash ^ bytes[i]) * 0x100000001b3u;
  return hash;
}

namespace detail {
inline void writeLittle(unsigned char *at, uint64_t value, unsigned bytes) {
  for (unsigned i = 0; i != bytes; ++i)
    at[i] = static_cast<unsigned char>(value >> (8 * i));
}
inline uint64_t readLittle(const unsigned char *at, unsigned bytes) {
  uint64_t value = 0;
  for (unsigned i = 0; i != bytes; ++i)
    value |= uint64_t(at[i]) << (8 * i);
  return value;
}
} // namespace detail

/// Returns the whole file: a header for `payload`, then `payload`.
inline std::vector<uint8_t> wrapArtifact(const void *payload, size_t size) {
  std::vector<uint8_t> file(kHeaderSize + size);
  std::memcpy(file.data(), kMagic, sizeof(kMagic));
  detail::writeLittle(&file[8], kFormatVersion, 4);
  detail::writeLittle(&file[12], kHeaderSize, 4);
  detail::writeLittle(&file[16], size, 8);
  detail::writeLittle(&file[24], checksum(payload, size), 8);
  if (size)
    std::memcpy(&file[kHeaderSize], payload, size);
  return file;
}

/// The kind of problem with a file's header, if any.
enum class HeaderError {
  None,
  NotAnArtifact,
  NewerVersion,
  Damaged, // truncated, or the header or the checksum is wrong
};

/// The place of the payload in a file, or the reason why there is none.
struct UnwrappedArtifact {
  HeaderError error = HeaderError::None;
  std::string message; // for people; empty if there is no error
  const uint8_t *payload = nullptr;
  size_t size = 0;
};

/// Checks the header and the checksum of a file in memory. The payload in the
/// result points into `file`.
inline UnwrappedArtifact unwrapArtifact(const void *file, size_t size) {
  const auto *bytes = static_cast<const unsigned char *>(file);
  auto fail = [](HeaderError error, std::string message) {
    UnwrappedArtifact result;
    result.error = error;
    result.message = std::move(message);
    return result;
  };
  if (size < sizeof(kMagic) || std::memcmp(bytes, kMagic, sizeof(kMagic)) != 0)
    return fail(HeaderError::NotAnArtifact,
                "not a Grout artifact: it does not start with the magic bytes");
  if (size < kHeaderSize)
    return fail(HeaderError::Damaged, "the artifact is truncated: it has " +
                                          std::to_string(size) +
                                          " bytes, less than its header of " +
                                          std::to_string(kHeaderSize));
  // The version comes before everything whose meaning a later one may change.
  uint64_t version = detail::readLittle(bytes + 8, 4);
  if (version > kFormatVersion)
    return fail(HeaderError::NewerVersion,
                "the artifact has format version " + std::to_string(version) +
                    ", and this runtime reads up to version " +
                    std::to_string(kFormatVersion) +
                    "; use a newer runtime or compile it again");
  if (version == 0)
    return fail(HeaderError::Damaged, "the artifact has format version 0");
  uint64_t headerSize = detail::readLittle(bytes + 12, 4);
  if (headerSize != kHeaderSize)
    return fail(HeaderError::Damaged, "the artifact states a header of " +
                                          std::to_string(headerSize) +
                                          " bytes instead of " +
                                          std::to_string(kHeaderSize));
  for (size_t i = 32; i != kHeaderSize; ++i)
    if (bytes[i] != 0)
      return fail(HeaderError::Damaged,
                  "the artifact's header has a reserved byte that is not zero");
  uint64_t payloadSize = detail::readLittle(bytes + 16, 8);
  if (payloadSize > size - kHeaderSize)
    return fail(HeaderError::Damaged,
                "the artifact is truncated: its header states " +
                    std::to_string(payloadSize) + " bytes of payload, and " +
                    std::to_string(size - kHeaderSize) + " are there");
  if (payloadSize < size - kHeaderSize)
    return fail(HeaderError::Damaged,
                "the artifact is followed by " +
                    std::to_string(size - kHeaderSize - payloadSize) +
                    " bytes that do not belong to it");
  if (payloadSize > kMaxPayloadSize)
    return fail(HeaderError::Damaged,
                "the artifact's payload is larger than 2 GiB");
  if (checksum(bytes + kHeaderSize, payloadSize) !=
      detail::readLittle(bytes + 24, 8))
    return fail(HeaderError::Damaged,
                "the artifact is damaged: its checksum does not match");
  UnwrappedArtifact result;
  result.payload = bytes + kHeaderSize;
  result.size = payloadSize;
  return result;
}

} // namespace artifact
} // namespace grout

#endif // GROUT_RUNTIME_ARTIFACTFILE_H
