//===- Outputs.h - What ops of linalg start from ----------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_CONVERSION_COMMON_OUTPUTS_H
#define GROUT_CONVERSION_COMMON_OUTPUTS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace grout {

/// Whether something of what `output` starts as is in the result: where the op
/// reads it, or does not write all elements.
bool startsFrom(mlir::linalg::LinalgOp op, mlir::OpOperand &output);

/// Gives every output of `op`, on tensors, of which it keeps nothing a
/// tensor.empty instead, so that it does not count as a use of what happened to
/// have its shape. Dynamic ones stay.
void dropUnreadOutputs(mlir::linalg::LinalgOp op);

} // namespace grout

#endif // GROUT_CONVERSION_COMMON_OUTPUTS_H
