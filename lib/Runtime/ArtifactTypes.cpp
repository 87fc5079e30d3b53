//===- ArtifactTypes.cpp - Sizes and names of element types ---------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "ArtifactTypes.h"
#include "grout-c/Runtime.h"

#include <iterator>

using namespace grout;
using namespace grout::artifact;

#define GROUT_ELEMENT_TYPE(Name, value, text, bytes, fractionBits, tensorMap)  \
  static_assert(int(ElementType::Name) == (value) && GROUT_##Name == (value));
#include "grout/Runtime/ElementTypes.def"

namespace {
struct TypeInfo {
  const char *name;
  uint64_t bytes;
  int fractionBits;
};
} // namespace

static constexpr TypeInfo kTypes[] = {
#define GROUT_ELEMENT_TYPE(Name, value, text, bytes, fractionBits, tensorMap)  \
  {text, bytes, fractionBits},
#include "grout/Runtime/ElementTypes.def"
};

static_assert(std::size(kTypes) ==
                  size_t(ElementType::MAX) - size_t(ElementType::MIN) + 1,
              "ElementTypes.def has all types of Artifact.fbs");

/// The row of a type, which may be a number of a damaged file.
static TypeInfo getInfo(ElementType type) {
  auto number = static_cast<size_t>(type);
  return number < std::size(kTypes) ? kTypes[number]
                                    : TypeInfo{"unknown", 0, 0};
}

uint64_t runtime::elementSize(ElementType type) { return getInfo(type).bytes; }

const char *runtime::elementName(ElementType type) {
  return getInfo(type).name;
}

int runtime::fractionBits(ElementType type) {
  return getInfo(type).fractionBits;
}

bool runtime::isInteger(ElementType type) {
  TypeInfo info = getInfo(type);
  return info.bytes != 0 && info.fractionBits == 0;
}

uint64_t runtime::tensorBytes(const Tensor &tensor) {
  uint64_t bytes = elementSize(tensor.element_type());
  for (int64_t size : *tensor.shape())
    bytes *= static_cast<uint64_t>(size);
  return bytes;
}

std::string runtime::typeString(const Tensor &tensor) {
  std::string text = elementName(tensor.element_type());
  text += '[';
  for (flatbuffers::uoffset_t i = 0; i != tensor.shape()->size(); ++i) {
    if (i)
      text += 'x';
    text += std::to_string(tensor.shape()->Get(i));
  }
  return text + ']';
}

bool runtime::runsOnGpu(const Artifact &artifact, const Plan &plan) {
  const Launch *first = plan.launches()->Get(0);
  return isGpuCode(artifact.modules()->Get(first->module_())->kind());
}
