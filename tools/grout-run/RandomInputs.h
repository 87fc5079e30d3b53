//===- RandomInputs.h - Reproducible random tensors -------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_TOOLS_GROUT_RUN_RANDOMINPUTS_H
#define GROUT_TOOLS_GROUT_RUN_RANDOMINPUTS_H

#include "HostTensor.h"

namespace grout {
namespace run {

/// Fills input `index` with uniform numbers in [-1, 1), rounded to its element
/// type. Every input except the first, if its rank is 2 or more, counts as
/// weights: its numbers are scaled by 1/sqrt(shape[-2]). For a [K, N] matrix,
/// this is one over the square root of the fan-in, so that chains of GEMMs stay
/// in the range of f16. Integers are uniform in [-8, 8), and truth values are 0
/// or 1. An element depends only on the seed, on `index`, and on its position.
void fillRandom(HostTensor &tensor, uint32_t index, uint64_t seed);

} // namespace run
} // namespace grout

#endif // GROUT_TOOLS_GROUT_RUN_RANDOMINPUTS_H
