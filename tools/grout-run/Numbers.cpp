//===- Numbers.cpp - Numbers of an artifact's element types ---------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "Numbers.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

using namespace grout;

namespace {
/// A 16-bit binary floating-point format with fields as in IEEE 754.
struct Format16 {
  int exponentBits;
  int fractionBits;

  int bias() const { return (1 << (exponentBits - 1)) - 1; }
  unsigned maxExponent() const { return (1u << exponentBits) - 1; }
};
} // namespace

static constexpr Format16 kHalf{5, 10};
static constexpr Format16 kBFloat{8, 7};

static constexpr int kDoubleFraction = 52;
static constexpr int kDoubleBias = 1023;
static constexpr uint64_t kDoubleFractionMask =
    (uint64_t(1) << kDoubleFraction) - 1;

static double doubleFromBits(uint64_t bits) {
  double value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

static uint64_t bitsOfDouble(double value) {
  uint64_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

static double decode(Format16 format, uint16_t bits) {
  uint64_t sign = uint64_t(bits >> 15) << 63;
  unsigned exponent = (bits >> format.fractionBits) & format.maxExponent();
  uint64_t fraction = bits & ((1u << format.fractionBits) - 1);
  if (exponent == 0) {
    // Zeros and subnormals are multiples of the smallest subnormal.
    double unit = doubleFromBits(
        uint64_t(kDoubleBias + 1 - format.bias() - format.fractionBits)
        << kDoubleFraction);
    double magnitude = static_cast<double>(fraction) * unit;
    return sign ? -magnitude : magnitude;
  }
  uint64_t wide = exponent == format.maxExponent()
                      ? uint64_t(0x7ff)
                      : exponent + uint64_t(kDoubleBias - format.bias());
  return doubleFromBits(sign | wide << kDoubleFraction |
                        fraction << (kDoubleFraction - format.fractionBits));
}

static uint16_t encode(Format16 format, double value) {
  uint64_t bits = bitsOfDouble(value);
  auto sign = static_cast<unsigned>(bits >> 63) << 15;
  int exponent = static_cast<int>((bits >> kDoubleFraction) & 0x7ff);
  uint64_t fraction = bits & kDoubleFractionMask;
  unsigned infinity = format.maxExponent() << format.fractionBits;
  if (exponent == 0x7ff) {
    unsigned quiet = fraction ? 1u << (format.fractionBits - 1) : 0;
    return static_cast<uint16_t>(sign | infinity | quiet);
  }
  exponent -= kDoubleBias;
  if (exponent > format.bias())
    return static_cast<uint16_t>(sign | infinity);

  // Drop bits of the significand that the format does not have.
  uint64_t significand = fraction | uint64_t(1) << kDoubleFraction;
  int shift = kDoubleFraction - format.fractionBits;
  int smallest = 1 - format.bias();
  bool isSubnormal = exponent < smallest;
  if (isSubnormal)
    shift += smallest - exponent;
  if (shift > kDoubleFraction + 1)
    return static_cast<uint16_t>(sign);
  uint64_t kept = significand >> shift;
  uint64_t rest = significand & ((uint64_t(1) << shift) - 1);
  uint64_t half = uint64_t(1) << (shift - 1);
  if (rest > half || (rest == half && (kept & 1)))
    ++kept;
  // If rounding carries out of the fraction, the carry correctly goes into the
  // exponent.
  uint64_t biased =
      isSubnormal ? 0 : static_cast<uint64_t>(exponent + format.bias() - 1);
  return static_cast<uint16_t>(sign | ((biased << format.fractionBits) + kept));
}

template <typename T> static T load(const uint8_t *data, uint64_t index) {
  T value;
  std::memcpy(&value, data + index * sizeof(T), sizeof(T));
  return value;
}

template <typename T>
static void store(uint8_t *data, uint64_t index, T value) {
  std::memcpy(data + index * sizeof(T), &value, sizeof(T));
}

int64_t run::readInteger(grout_element_type type, const uint8_t *data,
                         uint64_t index) {
  switch (elementSize(type)) {
  case 1:
    return type == GROUT_I1 ? data[index] : load<int8_t>(data, index);
  case 2:
    return load<int16_t>(data, index);
  case 4:
    return load<int32_t>(data, index);
  default:
    return load<int64_t>(data, index);
  }
}

void run::writeInteger(grout_element_type type, uint8_t *data, uint64_t index,
                       int64_t value) {
  switch (elementSize(type)) {
  case 1:
    return store(data, index, static_cast<int8_t>(value));
  case 2:
    return store(data, index, static_cast<int16_t>(value));
  case 4:
    return store(data, index, static_cast<int32_t>(value));
  default:
    return store(data, index, value);
  }
}

/// Returns the integer of a type that is closest to `value`, or 0 for NaN.
static int64_t roundToInteger(grout_element_type type, double value) {
  if (type == GROUT_I1)
    return value > 0.5;
  if (std::isnan(value))
    return 0;
  // 2 to the power of the number of bits of a magnitude.
  double limit =
      std::ldexp(1, static_cast<int>(8 * run::elementSize(type)) - 1);
  double rounded = std::nearbyint(value);
  if (rounded < limit)
    return static_cast<int64_t>(std::max(rounded, -limit));
  return limit == 0x1p63 ? std::numeric_limits<int64_t>::max()
                         : static_cast<int64_t>(limit) - 1;
}

double run::readElement(grout_element_type type, const uint8_t *data,
                        uint64_t index) {
  if (isInteger(type))
    return static_cast<double>(readInteger(type, data, index));
  switch (type) {
  case GROUT_F16:
    return decode(kHalf, load<uint16_t>(data, index));
  case GROUT_BF16:
    return decode(kBFloat, load<uint16_t>(data, index));
  case GROUT_F32:
    return static_cast<double>(load<float>(data, index));
  default:
    return load<double>(data, index);
  }
}

void run::writeElement(grout_element_type type, uint8_t *data, uint64_t index,
                       double value) {
  if (isInteger(type))
    return writeInteger(type, data, index, roundToInteger(type, value));
  switch (type) {
  case GROUT_F16:
    return store(data, index, encode(kHalf, value));
  case GROUT_BF16:
    return store(data, index, encode(kBFloat, value));
  case GROUT_F32:
    return store(data, index, static_cast<float>(value));
  default:
    return store(data, index, value);
  }
}
