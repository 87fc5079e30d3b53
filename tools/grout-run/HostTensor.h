//===- HostTensor.h - A tensor in host memory -------------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_TOOLS_GROUT_RUN_HOSTTENSOR_H
#define GROUT_TOOLS_GROUT_RUN_HOSTTENSOR_H

#include "ElementSizes.h"
#include "grout/RuntimeSupport/AlignedBytes.h"
#include "grout/RuntimeSupport/Status.h"

#include <string>
#include <vector>

namespace grout {
namespace run {

using runtime::Status;

/// The element type and the shape of a tensor.
struct TensorType {
  grout_element_type elementType = GROUT_F32;
  std::vector<int64_t> shape;

  uint64_t elements() const;
  uint64_t bytes() const;
  /// Returns a text such as "f16[512x1024]".
  std::string str() const;
};

bool operator==(const TensorType &a, const TensorType &b);

/// A dense row-major tensor.
struct HostTensor {
  std::string name;
  TensorType type;
  runtime::AlignedBytes data;

  Status allocate(std::string name, TensorType type);
};

/// Copies `from` to `to`, and rounds every element to `type`.
Status convert(const HostTensor &from, grout_element_type type, HostTensor &to);

} // namespace run
} // namespace grout

#endif // GROUT_TOOLS_GROUT_RUN_HOSTTENSOR_H
