//===- ComputedPlaces.h - Elements at computed places --*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_CONVERSION_SCOPTOGPU_COMPUTEDPLACES_H
#define GROUT_LIB_CONVERSION_SCOPTOGPU_COMPUTEDPLACES_H

#include "EmitContext.h"
#include "mlir/IR/IRMapping.h"

namespace grout::scop {

/// Emits the load of `gather`. `values` has its indices.
mlir::Value emitGather(EmitContext &ctx, GatherOp gather,
                       const mlir::IRMapping &values);

/// The element into which a scatter writes.
struct ScatterPlace {
  /// The number of the element in its buffer, an i64.
  mlir::Value element;
  /// Whether the element is in the array, an i1; null if it always is.
  mlir::Value isInside;
};

/// Emits the place of `scatter`. `values` has its indices.
ScatterPlace emitScatterPlace(EmitContext &ctx, ScatterOp scatter,
                              const mlir::IRMapping &values);

/// Returns how many neighbours in memory one instruction may store for
/// `scatter` of `statement`, at the points that a thread has at once. Returns 1
/// if each point has a place of its own.
int64_t getScatterWidth(EmitContext &ctx, const PhaseStatement &statement,
                        ScatterOp scatter);

/// Stores `lanes` from `place` on, if `isOwn`, an i1, is null or true. `lanes`
/// are neighbours in memory, as many as getScatterWidth returns.
void emitScatterStore(EmitContext &ctx, ScatterOp scatter,
                      const ScatterPlace &place, mlir::Value isOwn,
                      llvm::ArrayRef<mlir::Value> lanes);

} // namespace grout::scop

#endif // GROUT_LIB_CONVERSION_SCOPTOGPU_COMPUTEDPLACES_H
