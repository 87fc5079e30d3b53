//===- ElementTypes.h - Element types of tensors ----------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_SUPPORT_ELEMENTTYPES_H
#define GROUT_SUPPORT_ELEMENTTYPES_H

#include "mlir/IR/Types.h"
#include <cstdint>
#include <optional>

namespace grout {

/// Returns the value of `type` in ElementTypes.def, which is that of
/// artifact::ElementType; nothing if an artifact has no such elements.
std::optional<int8_t> findElementType(mlir::Type type);

/// Whether `type` is f16 or bf16.
bool isHalf(mlir::Type type);

/// Whether `type` is f16, bf16 or f32: the types of the inputs and results of
/// GEMM and attention kernels, other than operands A and B.
bool isHalfOrSingle(mlir::Type type);

} // namespace grout

#endif // GROUT_SUPPORT_ELEMENTTYPES_H
