//===- Tolerance.cpp - How exact a plan can be ----------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "Tolerance.h"

using namespace grout;
using namespace grout::run;

/// Returns a bound for the error of a few roundings in a row. In the Frobenius
/// norm, a rounding to bf16 costs 1.5e-3, and a rounding to f16 costs 2e-4. The
/// reference rounds at the same places. But if a value is near the middle
/// between two numbers, the two plans may round it to different numbers, and a
/// tensor may have only that one element. Kernels accumulate in f32 or wider
/// for tensors of all types: that costs 5e-6 for sums of 65,536 products.
static double getTolerance(grout_element_type type) {
  switch (type) {
  case GROUT_BF16:
    return 1e-2;
  case GROUT_F16:
    return 1e-3;
  case GROUT_F32:
  case GROUT_F64:
    return 1e-5;
  default:
    return 0; // integers
  }
}

Tolerance run::chooseTolerance(grout_element_type output,
                               grout_element_type precision,
                               grout_device device) {
  if (isInteger(output))
    return {0, elementName(output)};
  Tolerance tolerance{getTolerance(precision), elementName(precision)};
  // A GPU's epilogues approximate functions such as tanh to 11 bits.
  double leastOnGpu = getTolerance(GROUT_F16);
  if (device == GROUT_DEVICE_CUDA && tolerance.value < leastOnGpu) {
    tolerance.value = leastOnGpu;
    tolerance.source += " on a GPU";
  }
  return tolerance;
}
