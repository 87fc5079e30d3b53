//===- AttentionContext.h - An attention kernel while it is built -*- C++ -*-=//
//
// Part of Grout. What the parts of the kernel's code share.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_CONVERSION_TGEMMTONVVM_ATTENTIONCONTEXT_H
#define GROUT_LIB_CONVERSION_TGEMMTONVVM_ATTENTIONCONTEXT_H

#include "AttentionPlan.h"
#include "grout/Conversion/TGemmToNVVM/DeviceBuilder.h"
#include "grout/Conversion/TGemmToNVVM/KernelPlan.h"

namespace grout::hopper {

/// All values are i32 and, unless said otherwise, equal in all of a warp.
struct AttentionContext {
  AttentionContext(DeviceBuilder &b, const AttentionPlan &plan,
                   mlir::ValueRange params)
      : b(b), plan(plan), params(params) {}

  DeviceBuilder &b;
  const AttentionPlan &plan;
  mlir::ValueRange params;
  /// Address of the dynamic shared memory.
  mlir::Value shared;
  /// Thread in its warp (not equal), warp in the block.
  mlir::Value lane, warp;
  /// The block's number in its cluster.
  mlir::Value blockRank;
  /// The tile: batch of the result, group of heads, group of queries.
  mlir::Value resultBatch, headGroup, queryGroup;
  /// The batch of queries and keys, and the part of the keys.
  mlir::Value batch, part;
  /// The steps of the block, in those of the tile: [firstStep, endStep). At
  /// least one, which may be beyond the last of the tile.
  mlir::Value firstStep, endStep;
  /// The synchronisation state as !tsync.semaphores, if there is one.
  mlir::Value semaphores;

  tgemm::AttentionOp op() const { return plan.op; }
  mlir::Value getBarrier(int64_t index) const {
    return b.add(shared, plan.memory.barrierOffset + index * kBarrierBytes);
  }
  /// Completes when the queries have arrived, and when the result has been put
  /// in their place. Arrivals: the loader; the consumers' warps.
  mlir::Value getQueriesFullBarrier() const { return getBarrier(0); }
  mlir::Value getResultFullBarrier() const { return getBarrier(1); }
  /// Complete when a stage of keys (`isValue` of values) has arrived, and when
  /// it has been read. Arrivals: the loader; the consumers' warps.
  mlir::Value getFullBarrier(bool isValue, mlir::Value stage) const {
    return b.add(getBarrier(2 + (isValue ? plan.stages : 0)),
                 b.mul(stage, kBarrierBytes));
  }
  mlir::Value getEmptyBarrier(bool isValue, mlir::Value stage) const {
    return b.add(getBarrier(2 + (isValue ? 3 : 2) * plan.stages),
                 b.mul(stage, kBarrierBytes));
  }
  mlir::Value getStageAddress(bool isValue, mlir::Value stage) const {
    return b.add(
        b.add(shared,
              isValue ? plan.memory.valueOffset : plan.memory.keyOffset),
        b.mul(stage, isValue ? plan.getValueBytes() : plan.getKeyBytes()));
  }
  /// Chunk `chunk` of the rows of `warpgroup`.
  mlir::Value getRowsAddress(mlir::Value warpgroup, int64_t chunk) const {
    return b.add(b.add(shared, chunk * plan.getQueryChunkBytes()),
                 b.mul(warpgroup, kRowBlockBytes));
  }
  /// The first head of the tile, the head of keys that it reads, and the first
  /// query.
  mlir::Value getFirstHead() const {
    return b.mul(headGroup, plan.tiling.getHeads());
  }
  mlir::Value getKeyHead() const;
  /// The head and query of row `row` of those of the tile that have queries.
  mlir::Value getHead(mlir::Value row) const {
    return b.add(getFirstHead(), b.remainder(row, plan.tiling.getHeads()));
  }
  mlir::Value getQuery(mlir::Value row) const {
    return b.add(getFirstQuery(), b.divide(row, plan.tiling.getHeads()));
  }
  mlir::Value getFirstQuery() const {
    return b.mul(queryGroup, plan.tiling.getQueries());
  }
  /// The tile's coordinates, as indices.
  llvm::SmallVector<mlir::Value> getTile() const {
    return {b.toIndex(resultBatch), b.toIndex(headGroup),
            b.toIndex(queryGroup)};
  }
};

} // namespace grout::hopper

#endif // GROUT_LIB_CONVERSION_TGEMMTONVVM_ATTENTIONCONTEXT_H
