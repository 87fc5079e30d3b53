//===- TensorSize.h - Bytes of tensors --------------------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_SUPPORT_TENSORSIZE_H
#define GROUT_SUPPORT_TENSORSIZE_H

#include "mlir/IR/Types.h"
#include <optional>

namespace grout {

/// Returns the bytes of `extents` elements of `elementType`, or without a type
/// the number of these elements; none if the result does not fit into a 64-bit
/// signed number.
std::optional<int64_t> getSize(llvm::ArrayRef<int64_t> extents,
                               mlir::Type elementType = {});

} // namespace grout

#endif // GROUT_SUPPORT_TENSORSIZE_H
