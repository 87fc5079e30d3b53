//===- AttentionContext.h - An attention kernel while it is built -*- C++ -*-=//
//
// Part of Grout. The values that all parts of an attention kernel's code use.
//
//===----------------------------------------------------------------------===//

#ifndef GROUT_LIB_HOPPER_ATTENTION_ATTENTIONCONTEXT_H
#define GROUT_LIB_HOPPER_ATTENTION_ATTENTIONCONTEXT_H

#include "AttentionPlan.h"
#include "grout/Hopper/Kit/KernelContext.h"

namespace grout::hopper {

/// All values are i32, and uniform in a warp unless a comment says otherwise.
struct AttentionContext : KernelContext {
  const AttentionPlan &plan;
  /// The tile: a batch of the result, a group of heads, a group of queries.
  mlir::Value resultBatch, headGroup, queryGroup;
  /// The batch of queries and keys, and the part of the keys.
  mlir::Value batch, part;
  /// The block's steps, [firstStep, endStep), as numbers of the tile's steps.
  /// There is at least one step, which may lie beyond the tile's last step.
  mlir::Value firstStep, endStep;

  AttentionContext(DeviceBuilder &b, const AttentionPlan &plan)
      : KernelContext(b, plan), plan(plan) {}

  tgemm::AttentionOp op() const { return plan.op; }
  /// Returns the address of chunk `chunk` of the rows of `warpgroup`.
  mlir::Value getRowsAddress(mlir::Value warpgroup, int64_t chunk) const {
    return b.add(b.add(shared, chunk * plan.getQueryChunkBytes()),
                 b.mul(warpgroup, kRowBlockBytes));
  }
  /// The tile's first head, the head of keys that its heads read, and its first
  /// query.
  mlir::Value getFirstHead() const {
    return b.mul(headGroup, plan.tiling.getHeads());
  }
  mlir::Value getKeyHead() const;
  /// The head and the query of row `row`, which counts only rows that have
  /// queries.
  mlir::Value getHead(mlir::Value row) const {
    return b.add(getFirstHead(), b.remainder(row, plan.tiling.getHeads()));
  }
  mlir::Value getQuery(mlir::Value row) const {
    return b.add(getFirstQuery(), b.divide(row, plan.tiling.getHeads()));
  }
  mlir::Value getFirstQuery() const {
    return b.mul(queryGroup, plan.tiling.getQueries());
  }
  /// Returns the tile's coordinates, as indices.
  llvm::SmallVector<mlir::Value> getTile() const {
    return {b.toIndex(resultBatch), b.toIndex(headGroup),
            b.toIndex(queryGroup)};
  }
};

} // namespace grout::hopper

#endif // GROUT_LIB_HOPPER_ATTENTION_ATTENTIONCONTEXT_H
