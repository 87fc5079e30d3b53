//===- ArtifactTypes.cpp - Sizes and names of what artifacts hold ---------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "ArtifactTypes.h"

using namespace grout;
using namespace grout::artifact;

uint64_t runtime::elementSize(ElementType type) {
  switch (type) {
  case ElementType::I1:
  case ElementType::I8:
    return 1;
  case ElementType::F16:
  case ElementType::BF16:
  case ElementType::I16:
    return 2;
  case ElementType::F32:
  case ElementType::I32:
    return 4;
  case ElementType::F64:
  case ElementType::I64:
    return 8;
  }
  return 0;
}

const char *runtime::elementName(ElementType type) {
  switch (type) {
  case ElementType::F16:
    return "f16";
  case ElementType::BF16:
    return "bf16";
  case ElementType::F32:
    return "f32";
  case ElementType::F64:
    return "f64";
  case ElementType::I1:
    return "i1";
  case ElementType::I8:
    return "i8";
  case ElementType::I16:
    return "i16";
  case ElementType::I32:
    return "i32";
  case ElementType::I64:
    return "i64";
  }
  return "unknown";
}

bool runtime::isInteger(ElementType type) {
  return type >= ElementType::I1 && type <= ElementType::I64;
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
