//===- Numbers.h - Numbers of an artifact's element types -------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_TOOLS_GROUT_RUN_NUMBERS_H
#define GROUT_TOOLS_GROUT_RUN_NUMBERS_H

#include "ArtifactTypes.h"

#include <cstdint>

namespace grout {
namespace run {

/// Element `index` of an array. Exact for every element type.
double readElement(artifact::ElementType type, const uint8_t *data,
                   uint64_t index);

/// Stores `value`, rounded to nearest even; too large becomes infinity.
void writeElement(artifact::ElementType type, uint8_t *data, uint64_t index,
                  double value);

} // namespace run
} // namespace grout

#endif // GROUT_TOOLS_GROUT_RUN_NUMBERS_H
