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
  case GROUT_F16:
    return {"f16", 2, false};
  case GROUT_BF16:
    return {"bf16", 2, false};
  case GROUT_F32:
    return {"f32", 4, false};
  case GROUT_F64:
    return {"f64", 8, false};
  case GROUT_I1:
    return {"i1", 1, true};
  case GROUT_I8:
    return {"i8", 1, true};
  case GROUT_I16:
    return {"i16", 2, true};
  case GROUT_I32:
    return {"i32", 4, true};
  case GROUT_I64:
    return {"i64", 8, true};
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
