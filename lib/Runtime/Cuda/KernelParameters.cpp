//===- KernelParameters.cpp - How many parameters kernels take ------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "KernelParameters.h"
#include "../ElfImage.h"
#include "grout/RuntimeSupport/CheckedMath.h"

#include <cstring>

using namespace grout;
using namespace grout::runtime;

//===----------------------------------------------------------------------===//
// PTX
//===----------------------------------------------------------------------===//

namespace {
/// Splits PTX into words (names and directives) and single other characters.
class PtxReader {
public:
  explicit PtxReader(std::string_view text) : text(text) {}

  /// Returns the next token, or an empty token at the end.
  std::string_view next() {
    skipBlanks();
    size_t start = at;
    while (at != text.size() && isInWord(text[at]))
      ++at;
    if (at == start && at != text.size())
      ++at;
    return text.substr(start, at - start);
  }

private:
  static bool isInWord(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c >= '0' && c <= '9') || c == '_' || c == '$' || c == '%' ||
           c == '.';
  }

  void skipBlanks() {
    while (at != text.size()) {
      if (text.compare(at, 2, "//") == 0)
        skipBehind("\n");
      else if (text.compare(at, 2, "/*") == 0)
        skipBehind("*/");
      else if (std::strchr(" \t\r\n", text[at]))
        ++at;
      else
        return;
    }
  }

  void skipBehind(std::string_view end) {
    size_t found = text.find(end, at + 2);
    at = found == std::string_view::npos ? text.size() : found + end.size();
  }

  std::string_view text;
  size_t at = 0;
};
} // namespace

/// Counts the parameters in the list that `reader` reads next, after the name
/// of a kernel.
static size_t countInList(PtxReader &reader) {
  if (reader.next() != "(")
    return 0;
  size_t count = 0;
  for (std::string_view token = reader.next(); !token.empty() && token != ")";
       token = reader.next())
    if (token == ".param")
      ++count;
  return count;
}

std::optional<size_t> cuda::countParametersInPtx(std::string_view text,
                                                 std::string_view name) {
  PtxReader reader(text);
  for (std::string_view token = reader.next(); !token.empty();
       token = reader.next())
    if (token == ".entry" && reader.next() == name)
      return countInList(reader);
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Cubins
//===----------------------------------------------------------------------===//

namespace {
/// The first bytes of each entry in a kernel's .nv.info section.
struct InfoHeader {
  uint8_t format;
  uint8_t attribute;
  uint16_t value; // bytes that follow, if the format is kFormatSized
};
} // namespace

/// A format and two attributes of entries (cuobjdump prints them as EIFMT_* and
/// EIATTR_*). The attributes are for one parameter, and for the bytes of all
/// parameters.
static constexpr uint8_t kFormatSized = 4;
static constexpr uint8_t kAttributeParameter = 0x17;
static constexpr uint8_t kAttributeParameterBytes = 0x19;

std::optional<size_t> cuda::countParametersInCubin(const uint8_t *bytes,
                                                   size_t size,
                                                   const std::string &name) {
  std::optional<ElfSection> info =
      findElfSection(bytes, size, ".nv.info." + name);
  if (!info)
    return std::nullopt;
  size_t count = 0;
  bool hasParameters = false;
  for (size_t at = 0; at != info->size;) {
    InfoHeader header;
    if (!fits(at, sizeof(header), info->size))
      return std::nullopt;
    std::memcpy(&header, info->bytes + at, sizeof(header));
    at += sizeof(header);
    count += header.attribute == kAttributeParameter;
    hasParameters |= header.attribute == kAttributeParameterBytes;
    if (header.format != kFormatSized)
      continue;
    if (!fits(at, header.value, info->size))
      return std::nullopt;
    at += header.value;
  }
  // An image has both attributes or none. Otherwise it has another form.
  if (hasParameters != (count != 0))
    return std::nullopt;
  return count;
}
