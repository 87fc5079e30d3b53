//===- SlotMasks.h - Vectors of which parts are masked ----------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_CONVERSION_SCOPTOGPU_SLOTMASKS_H
#define GROUT_LIB_CONVERSION_SCOPTOGPU_SLOTMASKS_H

#include "EmitContext.h"

namespace grout::scop {

/// Makes the vector of `point`, which begins at a multiple of the width in its
/// loop, the slot of this number, with masks: if it can begin before the loop,
/// or end behind it.
void emitSlot(EmitContext &ctx, Point &point, bool canBegin, bool canEnd);

/// The point of the loop from which `size` neighbouring elements can be read
/// for those from `lane` on of a masked point: theirs, if one of them is in the
/// loop, else such ones. Of a single element it is in the loop.
mlir::Value emitPlaceInRow(EmitContext &ctx, const Point &point,
                           mlir::Value lane, int64_t size);

} // namespace grout::scop

#endif // GROUT_LIB_CONVERSION_SCOPTOGPU_SLOTMASKS_H
