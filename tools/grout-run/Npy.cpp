//===- Npy.cpp - NumPy's array files --------------------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "Npy.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

using namespace grout;
using namespace grout::run;

namespace {
/// Parses the Python dictionary of a header. Accepts exactly the literals that
/// NumPy writes, in any order and with any spacing.
class HeaderParser {
public:
  HeaderParser(const char *begin, const char *end) : at(begin), end(end) {}

  bool parse(NpyHeader &header) {
    bool hasDescr = false, hasOrder = false, hasShape = false;
    if (!consume('{'))
      return false;
    while (!consume('}')) {
      std::string key;
      if (!parseString(key) || !consume(':'))
        return false;
      bool *seen = key == "descr"           ? &hasDescr
                   : key == "fortran_order" ? &hasOrder
                   : key == "shape"         ? &hasShape
                                            : nullptr;
      if (!seen || *seen)
        return false;
      *seen = true;
      bool parsed = seen == &hasDescr   ? parseString(header.descr)
                    : seen == &hasOrder ? parseBool(header.fortranOrder)
                                        : parseShape(header.shape);
      if (!parsed)
        return false;
      if (!consume(',') && !isNext('}'))
        return false;
    }
    skipSpace();
    return at == end && hasDescr && hasOrder && hasShape;
  }

private:
  void skipSpace() {
    while (at != end && (*at == ' ' || *at == '\n' || *at == '\t'))
      ++at;
  }
  bool isNext(char c) {
    skipSpace();
    return at != end && *at == c;
  }
  bool consume(char c) {
    bool found = isNext(c);
    at += found;
    return found;
  }
  bool parseString(std::string &text) {
    skipSpace();
    if (at == end || (*at != '\'' && *at != '"'))
      return false;
    char quote = *at++;
    const char *begin = at;
    while (at != end && *at != quote && *at != '\\')
      ++at;
    if (at == end || *at != quote)
      return false;
    text.assign(begin, at++);
    return true;
  }
  bool parseBool(bool &value) {
    skipSpace();
    for (bool candidate : {true, false}) {
      const char *word = candidate ? "True" : "False";
      size_t length = std::strlen(word);
      if (static_cast<size_t>(end - at) >= length &&
          std::memcmp(at, word, length) == 0) {
        at += length;
        value = candidate;
        return true;
      }
    }
    return false;
  }
  bool parseSize(int64_t &value) {
    skipSpace();
    const char *begin = at;
    value = 0;
    while (at != end && *at >= '0' && *at <= '9') {
      if (__builtin_mul_overflow(value, int64_t(10), &value) ||
          __builtin_add_overflow(value, int64_t(*at - '0'), &value))
        return false;
      ++at;
    }
    return at != begin;
  }
  /// Parses "()", "(3,)" or "(3, 4)". A tuple of one number needs its comma.
  bool parseShape(std::vector<int64_t> &shape) {
    if (!consume('('))
      return false;
    bool comma = true;
    while (!consume(')')) {
      int64_t size;
      if (!comma || !parseSize(size))
        return false;
      shape.push_back(size);
      comma = consume(',');
    }
    return shape.size() != 1 || comma;
  }

  const char *at;
  const char *end;
};

struct CloseFile {
  void operator()(FILE *file) const { std::fclose(file); }
};
using File = std::unique_ptr<FILE, CloseFile>;
} // namespace

static Status fileError(const char *what, const std::string &path) {
  return Status::error(GROUT_ERROR_IO, "cannot ", what, " '", path,
                       "': ", std::strerror(errno));
}

static Status malformed(const std::string &why) {
  return Status::error(GROUT_ERROR_INVALID_ARGUMENT, "not a .npy file: ", why);
}

static const char kNpyMagic[] = "\x93NUMPY";
static constexpr size_t kNpyMagicSize = 6;

Status run::parseNpyHeader(const std::vector<uint8_t> &bytes,
                           NpyHeader &header) {
  if (bytes.size() < 10 ||
      std::memcmp(bytes.data(), kNpyMagic, kNpyMagicSize) != 0)
    return malformed("it does not start with the magic bytes");
  unsigned major = bytes[6];
  if (major < 1 || major > 3 || bytes[7] != 0)
    return malformed("its version " + std::to_string(major) + "." +
                     std::to_string(bytes[7]) + " is unknown");
  size_t lengthBytes = major == 1 ? 2 : 4;
  size_t start = 8 + lengthBytes;
  if (bytes.size() < start)
    return malformed("its header is truncated");
  uint64_t length = 0;
  for (size_t i = 0; i != lengthBytes; ++i)
    length |= uint64_t(bytes[8 + i]) << (8 * i);
  if (length > bytes.size() - start)
    return malformed("its header is truncated");
  const char *text = reinterpret_cast<const char *>(bytes.data()) + start;
  NpyHeader parsed;
  if (!HeaderParser(text, text + length).parse(parsed))
    return malformed("its header cannot be read");
  parsed.dataOffset = start + length;
  header = std::move(parsed);
  return Status::ok();
}

static const char *descrOf(grout_element_type type, BFloatFiles bfloat) {
  switch (type) {
  case GROUT_F16:
    return "<f2";
  case GROUT_BF16:
    return bfloat == BFloatFiles::Uint16 ? "<u2" : "<V2";
  case GROUT_F32:
    return "<f4";
  case GROUT_F64:
    break;
  case GROUT_I1:
    return "|b1";
  case GROUT_I8:
    return "|i1";
  case GROUT_I16:
    return "<i2";
  case GROUT_I32:
    return "<i4";
  case GROUT_I64:
    return "<i8";
  }
  return "<f8";
}

/// Returns whether two descriptions of types match. NumPy writes both '|V2' and
/// '<V2' for the same type, and our integers have no sign of their own.
static bool descrMatches(const std::string &descr, const std::string &wanted) {
  if (descr == wanted || (wanted == "<V2" && descr == "|V2"))
    return true;
  std::string asUnsigned = wanted;
  if (asUnsigned[1] == 'i')
    asUnsigned[1] = 'u';
  return descr == asUnsigned;
}

static std::string shapeString(const std::vector<int64_t> &shape) {
  std::string text = "(";
  for (size_t i = 0; i != shape.size(); ++i) {
    if (i)
      text += ", ";
    text += std::to_string(shape[i]);
  }
  return text + (shape.size() == 1 ? ",)" : ")");
}

static Status checkHeader(const NpyHeader &header, BFloatFiles bfloat,
                          const HostTensor &tensor) {
  std::string wanted = descrOf(tensor.type.elementType, bfloat);
  auto mismatch = [&](const auto &...parts) {
    return Status::error(GROUT_ERROR_INVALID_ARGUMENT, parts..., ", but '",
                         tensor.name, "' is ", tensor.type.str());
  };
  if (!descrMatches(header.descr, wanted))
    return mismatch("its elements are '", header.descr, "', not '", wanted,
                    "'");
  if (header.shape != tensor.type.shape)
    return mismatch("its shape is ", shapeString(header.shape));
  // A Fortran array of rank 0 or 1 is stored like a C one.
  if (header.fortranOrder && header.shape.size() > 1)
    return Status::error(GROUT_ERROR_INVALID_ARGUMENT,
                         "it is in Fortran order; save it with "
                         "numpy.ascontiguousarray");
  return Status::ok();
}

static Status readInto(FILE *file, BFloatFiles bfloat, HostTensor &tensor) {
  // Headers of version 1 are shorter than this. Longer headers would name
  // fields.
  constexpr size_t kLongestHeader = 65536 + 12;
  std::vector<uint8_t> start(kLongestHeader);
  start.resize(std::fread(start.data(), 1, start.size(), file));
  NpyHeader header;
  GROUT_RETURN_IF_ERROR(parseNpyHeader(start, header));
  GROUT_RETURN_IF_ERROR(checkHeader(header, bfloat, tensor));

  uint64_t wanted = tensor.data.size();
  uint64_t early = std::min<uint64_t>(start.size() - header.dataOffset, wanted);
  std::memcpy(tensor.data.data(), start.data() + header.dataOffset, early);
  uint64_t count =
      early + std::fread(tensor.data.data() + early, 1, wanted - early, file);
  if (count != wanted)
    return malformed("it is truncated: " + std::to_string(count) + " of " +
                     std::to_string(wanted) + " bytes are there");
  bool hasMore =
      start.size() - header.dataOffset > wanted || std::fgetc(file) != EOF;
  if (hasMore)
    return malformed("there are bytes after its last element");
  if (tensor.type.elementType == GROUT_I1 &&
      std::any_of(tensor.data.data(), tensor.data.data() + wanted,
                  [](uint8_t byte) { return byte > 1; }))
    return malformed("a truth value is neither 0 nor 1");
  return Status::ok();
}

Status run::readNpy(const std::string &path, BFloatFiles bfloat,
                    HostTensor &tensor) {
  File file(std::fopen(path.c_str(), "rb"));
  if (!file)
    return fileError("open", path);
  return readInto(file.get(), bfloat, tensor).in("'" + path + "'");
}

Status run::writeNpy(const std::string &path, BFloatFiles bfloat,
                     const HostTensor &tensor) {
  std::string header =
      std::string("{'descr': '") + descrOf(tensor.type.elementType, bfloat) +
      "', 'fortran_order': False, 'shape': " + shapeString(tensor.type.shape) +
      ", }";
  // Magic, version and length take 10 bytes; elements start at a multiple
  // of 64.
  constexpr size_t kPrefix = kNpyMagicSize + 4;
  size_t total = (kPrefix + header.size() + 1 + 63) / 64 * 64;
  header.append(total - kPrefix - header.size() - 1, ' ');
  header += '\n';
  std::string start(kNpyMagic, kNpyMagicSize);
  start += '\x01';
  start += '\0';
  start += static_cast<char>(header.size() & 0xff);
  start += static_cast<char>(header.size() >> 8);
  start += header;

  File file(std::fopen(path.c_str(), "wb"));
  if (!file)
    return fileError("create", path);
  if (std::fwrite(start.data(), 1, start.size(), file.get()) != start.size() ||
      std::fwrite(tensor.data.data(), 1, tensor.data.size(), file.get()) !=
          tensor.data.size() ||
      std::fflush(file.get()) != 0)
    return fileError("write", path);
  return Status::ok();
}
