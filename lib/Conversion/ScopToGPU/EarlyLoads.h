//===- EarlyLoads.h - Loads before a kernel's wait --------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_CONVERSION_SCOPTOGPU_EARLYLOADS_H
#define GROUT_LIB_CONVERSION_SCOPTOGPU_EARLYLOADS_H

#include "mlir/IR/Value.h"

namespace grout::scop {

/// Moves loads through `pointers` that come after `wait` in its block before
/// it, with the ops that compute their addresses. Then the values are in
/// registers when the wait is over. No launch that may still run may write
/// through `pointers`. Leaves loads in loops and branches, and loads that would
/// take too many registers.
void moveLoadsBefore(mlir::Operation *wait,
                     llvm::ArrayRef<mlir::Value> pointers);

} // namespace grout::scop

#endif // GROUT_LIB_CONVERSION_SCOPTOGPU_EARLYLOADS_H
