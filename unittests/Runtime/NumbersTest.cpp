//===- NumbersTest.cpp - Conversions, random inputs, comparisons ----------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "Numbers.h"
#include "Comparison.h"
#include "RandomInputs.h"

#include "gtest/gtest.h"

#include <cmath>
#include <cstring>
#include <limits>

using namespace grout;
using namespace grout::run;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

uint16_t encode(grout_element_type type, double value) {
  uint16_t bits;
  writeElement(type, reinterpret_cast<uint8_t *>(&bits), 0, value);
  return bits;
}

double decode(grout_element_type type, uint16_t bits) {
  return readElement(type, reinterpret_cast<uint8_t *>(&bits), 0);
}

TEST(Numbers, HalfHasKnownEncodings) {
  // IEEE 754 binary16.
  EXPECT_EQ(encode(GROUT_F16, 1.0), 0x3c00);
  EXPECT_EQ(encode(GROUT_F16, -2.0), 0xc000);
  EXPECT_EQ(encode(GROUT_F16, 65504.0), 0x7bff);
  EXPECT_EQ(encode(GROUT_F16, 65519.9), 0x7bff);
  EXPECT_EQ(encode(GROUT_F16, 65520.0), 0x7c00);
  EXPECT_EQ(encode(GROUT_F16, 1e300), 0x7c00);
  EXPECT_EQ(encode(GROUT_F16, -kInfinity), 0xfc00);
  EXPECT_EQ(encode(GROUT_F16, 0x1p-14), 0x0400);
  EXPECT_EQ(encode(GROUT_F16, 0x1p-24), 0x0001);
  EXPECT_EQ(encode(GROUT_F16, 0x1p-25), 0x0000); // tie to even
  EXPECT_EQ(encode(GROUT_F16, 0x1.8p-24), 0x0002);
  EXPECT_EQ(encode(GROUT_F16, std::nextafter(0x1p-25, 1)), 0x0001);
  EXPECT_EQ(encode(GROUT_F16, 0x1p-26), 0x0000);
  EXPECT_EQ(encode(GROUT_F16, -0.0), 0x8000);
  EXPECT_EQ(encode(GROUT_F16, 1 + 0x1p-11), 0x3c00); // tie to even
  EXPECT_EQ(encode(GROUT_F16, 1 + 3 * 0x1p-11), 0x3c02);
  EXPECT_TRUE(std::isnan(decode(GROUT_F16, encode(GROUT_F16, kNaN))));
}

TEST(Numbers, BFloatHasKnownEncodings) {
  EXPECT_EQ(encode(GROUT_BF16, 1.0), 0x3f80);
  EXPECT_EQ(encode(GROUT_BF16, 3.140625), 0x4049);
  EXPECT_EQ(encode(GROUT_BF16, kInfinity), 0x7f80);
  EXPECT_EQ(encode(GROUT_BF16, 1e39), 0x7f80);
  EXPECT_EQ(encode(GROUT_BF16, 1 + 0x1p-8), 0x3f80); // tie to even
  EXPECT_TRUE(std::isnan(decode(GROUT_BF16, encode(GROUT_BF16, kNaN))));
}

TEST(Numbers, EverySixteenBitNumberRoundTrips) {
  for (grout_element_type type : {GROUT_F16, GROUT_BF16})
    for (uint32_t bits = 0; bits != 65536; ++bits) {
      double value = decode(type, static_cast<uint16_t>(bits));
      if (std::isnan(value))
        continue;
      ASSERT_EQ(encode(type, value), bits);
    }
}

TEST(Numbers, BFloatIsTheUpperHalfOfAFloat) {
  for (uint32_t bits = 0; bits != 65536; ++bits) {
    uint32_t wide = bits << 16;
    float value;
    std::memcpy(&value, &wide, sizeof(value));
    if (std::isnan(value))
      continue;
    ASSERT_EQ(decode(GROUT_BF16, static_cast<uint16_t>(bits)),
              static_cast<double>(value));
  }
}

TEST(Numbers, RoundingIsToNearest) {
  // Between neighbours, the nearer one is chosen.
  for (grout_element_type type : {GROUT_F16, GROUT_BF16})
    for (uint16_t bits = 1; bits < 0x7b00; bits += 7) {
      double low = decode(type, bits);
      double high = decode(type, static_cast<uint16_t>(bits + 1));
      ASSERT_EQ(encode(type, low + 0.49 * (high - low)), bits);
      ASSERT_EQ(encode(type, low + 0.51 * (high - low)), bits + 1);
    }
}

TEST(Numbers, PoisonIsNaNInEveryType) {
  uint8_t poison[8];
  std::memset(poison, runtime::kPoisonByte, sizeof(poison));
  for (grout_element_type type : {GROUT_F16, GROUT_BF16, GROUT_F32, GROUT_F64})
    EXPECT_TRUE(std::isnan(readElement(type, poison, 0)));
}

constexpr grout_element_type kIntegers[] = {GROUT_I8, GROUT_I16, GROUT_I32,
                                            GROUT_I64};

TEST(Numbers, IntegersRoundTrip) {
  uint8_t bytes[8];
  for (grout_element_type type : kIntegers) {
    unsigned bits = 8 * static_cast<unsigned>(elementSize(type));
    int64_t most = std::numeric_limits<int64_t>::max() >> (64 - bits);
    for (int64_t value :
         {int64_t(0), int64_t(1), int64_t(-1), most, -most, -most - 1}) {
      writeInteger(type, bytes, 0, value);
      EXPECT_EQ(readInteger(type, bytes, 0), value);
      EXPECT_EQ(readElement(type, bytes, 0), static_cast<double>(value));
    }
  }
  for (int64_t value : {0, 1}) {
    writeInteger(GROUT_I1, bytes, 0, value);
    EXPECT_EQ(bytes[0], value);
    EXPECT_EQ(readInteger(GROUT_I1, bytes, 0), value);
  }
}

TEST(Numbers, IntegersAreRoundedToTheClosest) {
  uint8_t bytes[8];
  auto round = [&](grout_element_type type, double value) {
    writeElement(type, bytes, 0, value);
    return readInteger(type, bytes, 0);
  };
  for (grout_element_type type : kIntegers) {
    EXPECT_EQ(round(type, -3.0), -3);
    EXPECT_EQ(round(type, 2.5), 2); // tie to even
    EXPECT_EQ(round(type, 3.5), 4);
    EXPECT_EQ(round(type, kNaN), 0);
    unsigned bits = 8 * static_cast<unsigned>(elementSize(type));
    int64_t most = std::numeric_limits<int64_t>::max() >> (64 - bits);
    EXPECT_EQ(round(type, kInfinity), most);
    EXPECT_EQ(round(type, 0x1p70), most);
    EXPECT_EQ(round(type, -kInfinity), -most - 1);
    EXPECT_EQ(round(type, -0x1p70), -most - 1);
  }
  EXPECT_EQ(round(GROUT_I8, 127.4), 127);
  EXPECT_EQ(round(GROUT_I8, 127.6), 127);
  EXPECT_EQ(round(GROUT_I8, -128.4), -128);
  EXPECT_EQ(round(GROUT_I1, 1), 1);
  EXPECT_EQ(round(GROUT_I1, 0), 0);
}

TEST(Numbers, PoisonIsNoTruthValue) {
  uint8_t poison = runtime::kPoisonByte;
  EXPECT_GT(readInteger(GROUT_I1, &poison, 0), 1);
}

HostTensor makeTensor(grout_element_type type, std::vector<int64_t> shape) {
  HostTensor tensor;
  EXPECT_FALSE(tensor.allocate("t", {type, std::move(shape)}).isError());
  return tensor;
}

TEST(RandomInputs, AreReproducibleAndUniform) {
  HostTensor a = makeTensor(GROUT_F32, {1000, 300});
  HostTensor b = makeTensor(GROUT_F32, {1000, 300});
  fillRandom(a, 0, 7);
  fillRandom(b, 0, 7);
  EXPECT_EQ(std::memcmp(a.data.data(), b.data.data(), a.data.size()), 0);
  Summary summary = summarise(a);
  EXPECT_EQ(summary.notFinite, 0u);
  EXPECT_GE(summary.min, -1);
  EXPECT_LT(summary.min, -0.999);
  EXPECT_LE(summary.max, 1);
  EXPECT_GT(summary.max, 0.999);
  EXPECT_NEAR(summary.mean, 0, 0.01);
  for (auto [index, seed] : {std::pair(0u, 8u), std::pair(1u, 7u)}) {
    fillRandom(b, index, seed);
    EXPECT_NE(std::memcmp(a.data.data(), b.data.data(), a.data.size()), 0);
  }
}

TEST(RandomInputs, WeightsAreScaledByTheirFanIn) {
  HostTensor weights = makeTensor(GROUT_F16, {400, 30});
  fillRandom(weights, 1, 0);
  EXPECT_LE(summarise(weights).max, 0.0501);
  EXPECT_GT(summarise(weights).max, 0.049);
  HostTensor bias = makeTensor(GROUT_F16, {4000});
  fillRandom(bias, 2, 0);
  EXPECT_GT(summarise(bias).max, 0.99);
}

TEST(RandomInputs, IntegersAreSmall) {
  for (grout_element_type type : kIntegers)
    for (uint32_t index : {0u, 1u}) {
      HostTensor tensor = makeTensor(type, {100, 30});
      fillRandom(tensor, index, 3);
      EXPECT_EQ(summarise(tensor).min, -8);
      EXPECT_EQ(summarise(tensor).max, 7);
      EXPECT_NEAR(summarise(tensor).mean, -0.5, 0.5);
    }
  HostTensor truths = makeTensor(GROUT_I1, {100, 30});
  fillRandom(truths, 1, 3);
  EXPECT_EQ(summarise(truths).min, 0);
  EXPECT_EQ(summarise(truths).max, 1);
  EXPECT_NEAR(summarise(truths).mean, 0.5, 0.1);
}

TEST(Comparison, IntegersThatDifferAreNeverEqual) {
  HostTensor output = makeTensor(GROUT_I64, {2});
  HostTensor reference = makeTensor(GROUT_I64, {2});
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  // As doubles, the last ones are the same.
  const std::pair<int64_t, int64_t> kPairs[] = {
      {1, 2}, {2, 1}, {-kMost - 1, kMost}, {kMost, kMost - 1}};
  for (auto [actual, expected] : kPairs) {
    for (HostTensor *tensor : {&output, &reference})
      writeInteger(GROUT_I64, tensor->data.data(), 0, kMost);
    writeInteger(GROUT_I64, output.data.data(), 1, actual);
    writeInteger(GROUT_I64, reference.data.data(), 1, actual);
    EXPECT_TRUE(compare(output, reference).passes(0));
    writeInteger(GROUT_I64, reference.data.data(), 1, expected);
    EXPECT_FALSE(compare(output, reference).passes(0));
    EXPECT_GE(compare(output, reference).maxAbsolute, 1);
  }
  // A reference may have computed in another type.
  HostTensor truths = makeTensor(GROUT_I1, {1});
  HostTensor floats = makeTensor(GROUT_F32, {1});
  truths.data.data()[0] = 1;
  writeElement(GROUT_F32, floats.data.data(), 0, 1);
  EXPECT_TRUE(compare(truths, floats).passes(0));
  truths.data.data()[0] = runtime::kPoisonByte;
  EXPECT_FALSE(compare(truths, floats).passes(0));
}

TEST(Comparison, MeasuresErrors) {
  HostTensor output = makeTensor(GROUT_F32, {2});
  HostTensor reference = makeTensor(GROUT_F64, {2});
  auto set = [](HostTensor &tensor, double a, double b) {
    writeElement(tensor.type.elementType, tensor.data.data(), 0, a);
    writeElement(tensor.type.elementType, tensor.data.data(), 1, b);
  };
  set(reference, 3, 4);
  set(output, 3, 4.5);
  Difference difference = compare(output, reference);
  EXPECT_DOUBLE_EQ(difference.relative, 0.1);
  EXPECT_DOUBLE_EQ(difference.maxAbsolute, 0.5);
  EXPECT_TRUE(difference.passes(0.11));
  EXPECT_FALSE(difference.passes(0.09));

  for (double bad : {kNaN, kInfinity, -kInfinity}) {
    set(output, 3, bad);
    difference = compare(output, reference);
    EXPECT_EQ(difference.outputNotFinite, 1u);
    EXPECT_FALSE(difference.passes(kInfinity));
    set(reference, 3, 4);
  }

  set(reference, 0, 0);
  set(output, 0, 0.25);
  EXPECT_DOUBLE_EQ(compare(output, reference).relative, 0.25);
}

} // namespace
