//===- GlobalMemory.h - Loads and stores of a kernel ------------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_CONVERSION_SCOPTOGPU_GLOBALMEMORY_H
#define GROUT_LIB_CONVERSION_SCOPTOGPU_GLOBALMEMORY_H

#include "EmitContext.h"
#include "mlir/IR/IRMapping.h"

namespace grout::scop {

/// Loads `width` elements along `loop`, or one if the access does not change
/// with it.
Lanes emitLoad(EmitContext &ctx, const StridedAccess &access,
               const Point &point, unsigned loop, int64_t width);

/// Loads what `gather` stands for; `values` has its indices.
mlir::Value emitGather(EmitContext &ctx, GatherOp gather,
                       const mlir::IRMapping &values);

/// Stores what `scatter` scatters at lane `lane` of the points that a thread
/// has at once, if the point is its own; `values` has its operands.
void emitScatter(EmitContext &ctx, ScatterOp scatter,
                 const mlir::IRMapping &values, const Point &point,
                 int64_t lane);

/// Stores the elements of the points that a thread has at once, if the point is
/// its own.
void emitStore(EmitContext &ctx, const StridedAccess &access,
               const Point &point, const Lanes &lanes);

} // namespace grout::scop

#endif // GROUT_LIB_CONVERSION_SCOPTOGPU_GLOBALMEMORY_H
