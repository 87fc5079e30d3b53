//===- Softmax.h - What a softmax consists of -------------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_CONVERSION_COMMON_SOFTMAX_H
#define GROUT_CONVERSION_COMMON_SOFTMAX_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace grout {

/// Creates the ops that `op`, of f16 or bf16 on a tensor of static extents,
/// consists of, and returns the result. All but the quotients are f32.
mlir::Value decomposeHalfSoftmax(mlir::OpBuilder &builder,
                                 mlir::linalg::SoftmaxOp op);

} // namespace grout

#endif // GROUT_CONVERSION_COMMON_SOFTMAX_H
