//===- Tolerance.cpp - How exact a plan can be ----------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "Tolerance.h"

using namespace grout;
using namespace grout::run;

/// What a few roundings in a row stay below. In the Frobenius norm a rounding
/// to bf16 costs 1.5e-3, and one to f16 2e-4. The reference has the same ones,
/// but where a value is near the middle of two, they may differ, and a tensor
/// may have no more than that element. Kernels accumulate in f32 or wider,
/// whatever their tensors' types: that costs 5e-6 for sums of 65,536 products.
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
