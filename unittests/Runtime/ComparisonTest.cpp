//===- ComparisonTest.cpp - What grout-run takes for equal ----------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "Comparison.h"
#include "Numbers.h"

#include "gtest/gtest.h"
#include <cmath>
#include <limits>

using namespace grout;
using namespace grout::run;

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

HostTensor makeTensor(const std::vector<double> &values,
                      grout_element_type type = GROUT_F64) {
  HostTensor tensor;
  EXPECT_FALSE(
      tensor.allocate("x", {type, {static_cast<int64_t>(values.size())}})
          .isError());
  for (size_t i = 0; i != values.size(); ++i)
    writeElement(type, tensor.data.data(), i, values[i]);
  return tensor;
}

/// What is said of an element beside two that are equal.
Difference compareElement(double output, double reference) {
  return compare(makeTensor({1, output, 2}), makeTensor({1, reference, 2}));
}

/// Of all pairs of a finite number, both infinities and NaN, only equal ones
/// pass, whatever the tolerance; NaN equals NaN of either sign.
TEST(Comparison, WhatIsNotFiniteEqualsOnlyItself) {
  const double values[] = {3, kInfinity, -kInfinity, kNaN};
  for (double output : values)
    for (double reference : values) {
      SCOPED_TRACE(std::to_string(output) + " for " +
                   std::to_string(reference));
      bool isSame =
          output == reference || (std::isnan(output) && std::isnan(reference));
      Difference difference = compareElement(output, reference);
      EXPECT_EQ(difference.passes(1e30), isSame);
      EXPECT_EQ(difference.passes(0), isSame);
      EXPECT_EQ(difference.relative, 0);
      EXPECT_EQ(difference.outputNotFinite,
                !isSame && !std::isfinite(output) ? 1U : 0U);
      EXPECT_EQ(difference.referenceNotFinite,
                !isSame && !std::isfinite(reference) ? 1U : 0U);
    }
  EXPECT_TRUE(compareElement(-kNaN, kNaN).passes(0));
}

/// What the reference's type has room for need not have any in the output's.
TEST(Comparison, WhatIsTooLargeIsInfinite) {
  auto passes = [](double output, double reference) {
    return compare(makeTensor({1, output}, GROUT_F32),
                   makeTensor({1, reference}))
        .passes(1e30);
  };
  EXPECT_TRUE(passes(kInfinity, 1e76));
  EXPECT_TRUE(passes(-kInfinity, -1e76));
  EXPECT_FALSE(passes(kInfinity, -1e76));
  EXPECT_FALSE(passes(kNaN, 1e76));
  EXPECT_FALSE(passes(kInfinity, 3e38));
}

TEST(Comparison, FiniteElementsCountBesideOthers) {
  Difference difference =
      compare(makeTensor({kNaN, 3, 5}), makeTensor({kNaN, 3, 4}));
  EXPECT_DOUBLE_EQ(difference.relative, 0.2);
  EXPECT_EQ(difference.maxAbsolute, 1);
  EXPECT_FALSE(difference.passes(0.1));
  EXPECT_TRUE(difference.passes(0.3));
}

} // namespace
