//===- RandomInputs.cpp - Reproducible random tensors ---------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "RandomInputs.h"
#include "Numbers.h"
#include "Parallel.h"

#include <cmath>

using namespace grout;
using namespace grout::run;

/// Returns number `index` of a stream of SplitMix64 (Steele, Lea, Flood 2014).
static uint64_t splitMix(uint64_t seed, uint64_t index) {
  uint64_t x = seed + (index + 1) * 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

void run::fillRandom(HostTensor &tensor, uint32_t index, uint64_t seed) {
  uint64_t stream = splitMix(seed, index);
  grout_element_type type = tensor.type.elementType;
  if (isInteger(type)) {
    // Use the upper 4 bits, or for a truth value the uppermost bit.
    bool isTruth = type == GROUT_I1;
    unsigned shift = isTruth ? 63 : 60;
    int64_t least = isTruth ? 0 : -8;
    parallelFor(tensor.type.elements(), [&](uint64_t begin, uint64_t end) {
      for (uint64_t i = begin; i != end; ++i)
        writeInteger(type, tensor.data.data(), i,
                     static_cast<int64_t>(splitMix(stream, i) >> shift) +
                         least);
    });
    return;
  }
  double scale = 1;
  const std::vector<int64_t> &shape = tensor.type.shape;
  if (index != 0 && shape.size() >= 2)
    scale /= std::sqrt(static_cast<double>(shape[shape.size() - 2]));
  parallelFor(tensor.type.elements(), [&](uint64_t begin, uint64_t end) {
    for (uint64_t i = begin; i != end; ++i) {
      // The upper 53 bits make a double in [0, 1).
      double unit = static_cast<double>(splitMix(stream, i) >> 11) * 0x1p-53;
      writeElement(type, tensor.data.data(), i, (2 * unit - 1) * scale);
    }
  });
}
