//===- EarlyLoads.h - Loads before a kernel's wait --------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_CONVERSION_SCOPTOGPU_EARLYLOADS_H
#define GROUT_LIB_CONVERSION_SCOPTOGPU_EARLYLOADS_H

#include "mlir/IR/Value.h"

namespace grout::scop {

/// Moves loads through `pointers`, and what computes their addresses, from
/// behind `wait` in its block to before it: of what no launch that may still
/// run writes, so that it is in registers when the wait is over. Loads in loops
/// and branches stay, and those that would take too many registers.
void moveLoadsBefore(mlir::Operation *wait,
                     llvm::ArrayRef<mlir::Value> pointers);

} // namespace grout::scop

#endif // GROUT_LIB_CONVERSION_SCOPTOGPU_EARLYLOADS_H
