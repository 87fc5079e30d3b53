//===- ComputeBound.h - Ops that are bound by arithmetic --------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_CONVERSION_COMMON_COMPUTEBOUND_H
#define GROUT_CONVERSION_COMMON_COMPUTEBOUND_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace grout {

/// Says why `op` is bound by arithmetic rather than by memory: for example, "is
/// a matrix product". Returns an empty string if memory bounds it; such ops
/// become `scop`.
llvm::StringRef getComputeBound(mlir::linalg::LinalgOp op);

} // namespace grout

#endif // GROUT_CONVERSION_COMMON_COMPUTEBOUND_H
