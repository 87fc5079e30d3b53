//===- ElementTypes.h - Element types of tensors ----------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_SUPPORT_ELEMENTTYPES_H
#define GROUT_SUPPORT_ELEMENTTYPES_H

#include "mlir/IR/Types.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <optional>
#include <string>

namespace grout {

/// Returns the value of `type` in ElementTypes.def, which is that of
/// artifact::ElementType; nothing if an artifact has no such elements.
std::optional<int8_t> findElementType(mlir::Type type);

/// Whether `type` is a float of fewer than 32 bits that an artifact can have.
/// Kernels compute with such elements in f32, but for the operands of MMA
/// instructions.
bool isNarrowFloat(mlir::Type type);

/// Whether `type` is a narrow float or f32: the types of the inputs and results
/// of GEMM and attention kernels, other than operands A and B.
bool isGemmFloat(mlir::Type type);

/// Return the names of the floats of up to `maxBytes` bytes that an artifact
/// can have, and of all types that it can have, in the order of
/// ElementTypes.def.
llvm::SmallVector<llvm::StringRef> getFloatNames(int64_t maxBytes);
llvm::SmallVector<llvm::StringRef> getElementTypeNames();

/// Returns `names` as a list in a sentence, for example "f16, bf16 or f32" if
/// `conjunction` is "or".
std::string joinNames(llvm::ArrayRef<llvm::StringRef> names,
                      llvm::StringRef conjunction);

} // namespace grout

#endif // GROUT_SUPPORT_ELEMENTTYPES_H
