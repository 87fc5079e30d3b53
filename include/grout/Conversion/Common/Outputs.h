//===- Outputs.h - Initial values of linalg ops -----------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_CONVERSION_COMMON_OUTPUTS_H
#define GROUT_CONVERSION_COMMON_OUTPUTS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace grout {

/// Whether the result of `op` depends on the initial values of `output`:
/// because the op reads them, or because it does not write all elements.
bool startsFrom(mlir::linalg::LinalgOp op, mlir::OpOperand &output);

/// For `op` on tensors, replaces each output of static shape whose initial
/// values do not matter by a tensor.empty. So the op no longer counts as a user
/// of a tensor that only has the right shape. Outputs of dynamic shape stay.
void dropUnreadOutputs(mlir::linalg::LinalgOp op);

} // namespace grout

#endif // GROUT_CONVERSION_COMMON_OUTPUTS_H
