//===- ComputedAccesses.h - Elements at computed places ---------*- C++ -*-===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_CONVERSION_SCOPTOGPU_COMPUTEDACCESSES_H
#define GROUT_LIB_CONVERSION_SCOPTOGPU_COMPUTEDACCESSES_H

#include "EmitContext.h"
#include "mlir/IR/IRMapping.h"

namespace grout::scop {

/// Loads what `gather` stands for; `values` has its indices.
mlir::Value emitGather(EmitContext &ctx, GatherOp gather,
                       const mlir::IRMapping &values);

/// Where an element is scattered to.
struct ScatterPlace {
  /// Its number in the buffer, an i64.
  mlir::Value element;
  /// Whether it is in the array, an i1; null if it always is.
  mlir::Value isInside;
};

/// The place whose indices `values` has.
ScatterPlace emitScatterPlace(EmitContext &ctx, ScatterOp scatter,
                              const mlir::IRMapping &values);

/// How many neighbours in memory one instruction may store of what `scatter`,
/// in `statement`, scatters at the points that a thread has at once: 1 if each
/// point has a place of its own.
int64_t getScatterWidth(EmitContext &ctx, const PhaseStatement &statement,
                        ScatterOp scatter);

/// Stores `lanes`, as many neighbours as getScatterWidth allows, from `place`
/// on if `isOwn`, an i1, is null or holds.
void emitScatterStore(EmitContext &ctx, ScatterOp scatter,
                      const ScatterPlace &place, mlir::Value isOwn,
                      llvm::ArrayRef<mlir::Value> lanes);

} // namespace grout::scop

#endif // GROUT_LIB_CONVERSION_SCOPTOGPU_COMPUTEDACCESSES_H
