//===- ElementSizes.cpp - Sizes and names of element types ----------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "ElementSizes.h"

using namespace grout;

uint64_t run::elementSize(grout_element_type type) {
  return grout_element_type_size(type);
}

const char *run::elementName(grout_element_type type) {
  const char *name = grout_element_type_name(type);
  return name ? name : "unknown";
}

bool run::isInteger(grout_element_type type) {
  return elementName(type)[0] == 'i';
}
