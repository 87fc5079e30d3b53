//===- HostTensor.cpp - A tensor in host memory ---------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "HostTensor.h"
#include "Numbers.h"
#include "Parallel.h"

#include <cstring>

using namespace grout;
using namespace grout::run;

uint64_t TensorType::elements() const {
  uint64_t count = 1;
  for (int64_t size : shape)
    count *= static_cast<uint64_t>(size);
  return count;
}

uint64_t TensorType::bytes() const {
  return elements() * elementSize(elementType);
}

std::string TensorType::str() const {
  std::string text = elementName(elementType);
  text += '[';
  for (size_t i = 0; i != shape.size(); ++i) {
    if (i)
      text += 'x';
    text += std::to_string(shape[i]);
  }
  return text + ']';
}

bool run::operator==(const TensorType &a, const TensorType &b) {
  return a.elementType == b.elementType && a.shape == b.shape;
}

Status HostTensor::allocate(std::string tensorName, TensorType tensorType) {
  name = std::move(tensorName);
  type = std::move(tensorType);
  return data.allocate(type.bytes(), "'" + name + "'");
}

Status run::convert(const HostTensor &from, grout_element_type type,
                    HostTensor &to) {
  GROUT_RETURN_IF_ERROR(to.allocate(from.name, {type, from.type.shape}));
  if (type == from.type.elementType) {
    std::memcpy(to.data.data(), from.data.data(), from.data.size());
    return Status::ok();
  }
  parallelFor(from.type.elements(), [&](uint64_t begin, uint64_t end) {
    for (uint64_t i = begin; i != end; ++i)
      writeElement(type, to.data.data(), i,
                   readElement(from.type.elementType, from.data.data(), i));
  });
  return Status::ok();
}
