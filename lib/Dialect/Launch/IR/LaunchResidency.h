//===- LaunchResidency.h - Who may hold processors side by side -*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_DIALECT_LAUNCH_IR_LAUNCHRESIDENCY_H
#define GROUT_LIB_DIALECT_LAUNCH_IR_LAUNCHRESIDENCY_H

#include "grout/Dialect/Launch/IR/LaunchOrder.h"

namespace grout::launch {

/// Checks that launches of `plan` cannot deadlock each other. A launch that
/// needs one resident tile ends by itself, whatever runs beside it: its tiles
/// wait for none that has not begun. One that needs more may hold processors
/// with tiles that wait for others which have no processor yet. Any edge orders
/// two of those: the second one starts when all blocks of the first have
/// begun. Fails with a diagnostic at the second of two that are not ordered.
mlir::LogicalResult verifyResidency(PlanOp plan, LaunchOrder &order);

} // namespace grout::launch

#endif // GROUT_LIB_DIALECT_LAUNCH_IR_LAUNCHRESIDENCY_H
