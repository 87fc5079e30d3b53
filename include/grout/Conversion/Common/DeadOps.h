//===- DeadOps.h - Ops without uses -----------------------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_CONVERSION_COMMON_DEADOPS_H
#define GROUT_CONVERSION_COMMON_DEADOPS_H

#include "mlir/IR/Operation.h"

namespace grout {

/// Erases ops within `op` that have no effect and whose results are not used.
void eraseDeadOps(mlir::Operation *op);

} // namespace grout

#endif // GROUT_CONVERSION_COMMON_DEADOPS_H
