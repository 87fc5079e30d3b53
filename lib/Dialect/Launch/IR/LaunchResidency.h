//===- LaunchResidency.h - No deadlock between launches ---------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_DIALECT_LAUNCH_IR_LAUNCHRESIDENCY_H
#define GROUT_LIB_DIALECT_LAUNCH_IR_LAUNCHRESIDENCY_H

#include "grout/Dialect/Launch/IR/LaunchOrder.h"

namespace grout::launch {

/// Checks that launches of `plan` cannot deadlock each other.
///
/// A launch that needs one resident tile always ends, whatever runs beside it:
/// its tiles wait only for tiles that have begun. A launch that needs more may
/// hold processors with tiles that wait for tiles which have no processor yet.
/// Two such launches must be ordered, by any edge: then the second starts when
/// all blocks of the first have begun. Fails with a diagnostic at the second
/// launch of two that are not ordered.
mlir::LogicalResult verifyResidency(PlanOp plan, LaunchOrder &order);

} // namespace grout::launch

#endif // GROUT_LIB_DIALECT_LAUNCH_IR_LAUNCHRESIDENCY_H
