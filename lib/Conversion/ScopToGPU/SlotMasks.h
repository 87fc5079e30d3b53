//===- SlotMasks.h - Vectors with masked parts ------------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_CONVERSION_SCOPTOGPU_SLOTMASKS_H
#define GROUT_LIB_CONVERSION_SCOPTOGPU_SLOTMASKS_H

#include "EmitContext.h"

namespace grout::scop {

/// Turns the vector of `point`, which begins at a multiple of the width in its
/// loop, into the slot of the same number. Adds masks if the slot can begin
/// before the loop (`canBegin`) or end behind it (`canEnd`).
void emitSlot(EmitContext &ctx, Point &point, bool canBegin, bool canEnd);

/// Returns the iteration at which to read `size` neighbouring elements for the
/// lanes of a masked point from `lane` on. That is their own place if one of
/// these lanes is in the loop, and otherwise a place where one is. With a size
/// of 1, the element is in the loop.
mlir::Value emitPlaceInRow(EmitContext &ctx, const Point &point,
                           mlir::Value lane, int64_t size);

} // namespace grout::scop

#endif // GROUT_LIB_CONVERSION_SCOPTOGPU_SLOTMASKS_H
