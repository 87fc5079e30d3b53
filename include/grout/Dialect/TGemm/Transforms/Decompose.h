//===- Decompose.h - Turns tgemm ops into linalg ----------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_DIALECT_TGEMM_TRANSFORMS_DECOMPOSE_H
#define GROUT_DIALECT_TGEMM_TRANSFORMS_DECOMPOSE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace grout::tgemm {

/// Replaces the tgemm ops in `func` by linalg ops that compute the same, and
/// takes kernels out of their chains. The dialects arith, linalg, math and
/// tensor must be loaded.
void decomposeOps(mlir::func::FuncOp func);

} // namespace grout::tgemm

#endif // GROUT_DIALECT_TGEMM_TRANSFORMS_DECOMPOSE_H
