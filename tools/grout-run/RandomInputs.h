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
/// type. Inputs of rank 2 and more other than the first are taken for weights
/// and scaled by 1/sqrt(shape[-2]), which for a [K, N] matrix is one over the
/// square root of the fan-in, so that chains of products stay in range of f16.
/// Integers are uniform in [-8, 8), and truth values 0 or 1.
/// An element depends on the seed, `index` and its position alone.
void fillRandom(HostTensor &tensor, uint32_t index, uint64_t seed);

} // namespace run
} // namespace grout

#endif // GROUT_TOOLS_GROUT_RUN_RANDOMINPUTS_H
