//===- ComputeBound.h - What is bound by arithmetic -------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_CONVERSION_COMMON_COMPUTEBOUND_H
#define GROUT_CONVERSION_COMMON_COMPUTEBOUND_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace grout {

/// What bounds `op` by arithmetic rather than by memory, "is a matrix product"
/// for instance, or an empty string. What is bound by memory becomes `scop`.
llvm::StringRef getComputeBound(mlir::linalg::LinalgOp op);

} // namespace grout

#endif // GROUT_CONVERSION_COMMON_COMPUTEBOUND_H
