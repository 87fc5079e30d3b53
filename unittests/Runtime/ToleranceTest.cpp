//===- ToleranceTest.cpp - How exact a plan can be ------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "Tolerance.h"

#include "gtest/gtest.h"

using namespace grout;
using namespace grout::run;

namespace {

TEST(Tolerance, IsThatOfThePrecision) {
  const struct {
    grout_element_type precision;
    double value;
    const char *source;
  } kCases[] = {{GROUT_BF16, 1e-2, "bf16"},
                {GROUT_F16, 1e-3, "f16"},
                {GROUT_F32, 1e-5, "f32"},
                {GROUT_F64, 1e-5, "f64"}};
  for (auto [precision, value, source] : kCases) {
    Tolerance tolerance =
        chooseTolerance(GROUT_F32, precision, GROUT_DEVICE_CPU);
    EXPECT_EQ(tolerance.value, value);
    EXPECT_EQ(tolerance.source, source);
  }
}

TEST(Tolerance, IntegersAreExact) {
  for (grout_device device : {GROUT_DEVICE_CPU, GROUT_DEVICE_CUDA})
    for (grout_element_type type :
         {GROUT_I1, GROUT_I8, GROUT_I16, GROUT_I32, GROUT_I64}) {
      Tolerance tolerance = chooseTolerance(type, GROUT_BF16, device);
      EXPECT_EQ(tolerance.value, 0);
      EXPECT_EQ(tolerance.source, elementName(type));
    }
}

TEST(Tolerance, AllowsForApproximationsOfGpus) {
  Tolerance tolerance =
      chooseTolerance(GROUT_F32, GROUT_F32, GROUT_DEVICE_CUDA);
  EXPECT_EQ(tolerance.value, 1e-3);
  EXPECT_EQ(tolerance.source, "f32 on a GPU");
  tolerance = chooseTolerance(GROUT_F32, GROUT_BF16, GROUT_DEVICE_CUDA);
  EXPECT_EQ(tolerance.value, 1e-2);
  EXPECT_EQ(tolerance.source, "bf16");
}

} // namespace
