//===- Decompose.h - What ops of tgemm consist of ---------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_DIALECT_TGEMM_TRANSFORMS_DECOMPOSE_H
#define GROUT_DIALECT_TGEMM_TRANSFORMS_DECOMPOSE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace grout::tgemm {

/// Replaces the ops of tgemm in `func` by the linalg that they stand for, and
/// takes kernels of chains out of them. The dialects arith, linalg, math and
/// tensor must be loaded.
void decomposeOps(mlir::func::FuncOp func);

} // namespace grout::tgemm

#endif // GROUT_DIALECT_TGEMM_TRANSFORMS_DECOMPOSE_H
