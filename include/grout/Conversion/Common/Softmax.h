//===- Softmax.h - Softmax as single ops ------------------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_CONVERSION_COMMON_SOFTMAX_H
#define GROUT_CONVERSION_COMMON_SOFTMAX_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace grout {

/// Creates the ops that compute `op`, a softmax of f16 or bf16 on a tensor of
/// static shape, and returns the result. All of them compute in f32, except the
/// quotients.
mlir::Value decomposeHalfSoftmax(mlir::OpBuilder &builder,
                                 mlir::linalg::SoftmaxOp op);

} // namespace grout

#endif // GROUT_CONVERSION_COMMON_SOFTMAX_H
