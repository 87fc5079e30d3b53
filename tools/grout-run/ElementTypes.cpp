//===- ElementTypes.cpp - Sizes and names of element types ----------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "ElementTypes.h"

using namespace grout;

namespace {
struct ElementType {
  const char *name;
  uint64_t bytes;
  bool isInteger;
};
} // namespace

static ElementType describe(grout_element_type type) {
  switch (type) {
#define GROUT_ELEMENT_TYPE(Name, value, text, bytes, fractionBits)             \
  case GROUT_##Name:                                                           \
    return {text, bytes, fractionBits == 0};
#include "grout/Runtime/ElementTypes.def"
  }
  return {"unknown", 0, false};
}

uint64_t run::elementSize(grout_element_type type) {
  return describe(type).bytes;
}

const char *run::elementName(grout_element_type type) {
  return describe(type).name;
}

bool run::isInteger(grout_element_type type) {
  return describe(type).isInteger;
}
