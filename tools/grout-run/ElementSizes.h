//===- ElementSizes.h - Sizes and names of element types --------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_TOOLS_GROUT_RUN_ELEMENTSIZES_H
#define GROUT_TOOLS_GROUT_RUN_ELEMENTSIZES_H

#include "grout-c/Runtime.h"

namespace grout {
namespace run {

/// Returns the bytes of one element.
uint64_t elementSize(grout_element_type type);

/// Returns a name such as "f16" or "i32".
const char *elementName(grout_element_type type);

/// Returns whether elements of a type are exact: integers and truth values.
bool isInteger(grout_element_type type);

} // namespace run
} // namespace grout

#endif // GROUT_TOOLS_GROUT_RUN_ELEMENTSIZES_H
