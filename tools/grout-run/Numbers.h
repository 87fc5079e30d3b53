//===- Numbers.h - Numbers of an artifact's element types -------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_TOOLS_GROUT_RUN_NUMBERS_H
#define GROUT_TOOLS_GROUT_RUN_NUMBERS_H

#include "ElementSizes.h"

namespace grout {
namespace run {

/// Returns element `index` of an array. The result is exact for every element
/// type but i64, whose numbers beyond 2^53 are rounded.
double readElement(grout_element_type type, const uint8_t *data,
                   uint64_t index);

/// Stores `value`, rounded to nearest even. A value that is too large becomes
/// infinity, or the closest integer. NaN becomes the integer 0.
void writeElement(grout_element_type type, uint8_t *data, uint64_t index,
                  double value);

/// Returns element `index` of an array of integers. A truth value may be
/// neither 0 nor 1, if nothing or a wrong value was written to it.
int64_t readInteger(grout_element_type type, const uint8_t *data,
                    uint64_t index);

/// Stores the lower bits of `value`.
void writeInteger(grout_element_type type, uint8_t *data, uint64_t index,
                  int64_t value);

} // namespace run
} // namespace grout

#endif // GROUT_TOOLS_GROUT_RUN_NUMBERS_H
