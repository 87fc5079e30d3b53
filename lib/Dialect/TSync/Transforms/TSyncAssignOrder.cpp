//===- TSyncAssignOrder.cpp - Chooses the tile order of chains ------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Dialect/TSync/IR/TSync.h"
#include "grout/Dialect/TSync/Transforms/Passes.h"
#include "mlir/IR/Builders.h"

namespace grout::tsync {
#define GEN_PASS_DEF_TSYNCASSIGNORDER
#include "grout/Dialect/TSync/Transforms/Passes.h.inc"
} // namespace grout::tsync

using namespace mlir;
using namespace grout;
using namespace grout::tsync;

/// The time of a tile of kernel `position`, of `rank` coordinates, padded to
/// `timeRank`: kernel, leading coordinates, group of rows, column, row.
static AffineMap getTime(unsigned position, unsigned rank, unsigned timeRank,
                         int64_t groupRows, MLIRContext *context) {
  SmallVector<AffineExpr> time = {getAffineConstantExpr(position, context)};
  for (unsigned dim = 0; dim + 2 < rank; ++dim)
    time.push_back(getAffineDimExpr(dim, context));
  if (rank >= 2) {
    AffineExpr row = getAffineDimExpr(rank - 2, context);
    time.push_back(row.floorDiv(groupRows));
    time.push_back(getAffineDimExpr(rank - 1, context));
    time.push_back(row);
  } else if (rank == 1) {
    time.push_back(getAffineDimExpr(0, context));
  }
  time.resize(timeRank, getAffineConstantExpr(0, context));
  return AffineMap::get(rank, 0, time, context);
}

namespace {

struct TSyncAssignOrder : tsync::impl::TSyncAssignOrderBase<TSyncAssignOrder> {
  using Base::Base;

  void runOnOperation() override {
    if (groupRows <= 0) {
      getOperation()->emitError()
          << "group-rows must be positive, got " << int64_t(groupRows);
      return signalPassFailure();
    }
    WalkResult result = getOperation()->walk([&](ChainOp chain) {
      return chain.getOrder() ? WalkResult::advance()
                              : WalkResult(assignOrder(chain));
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }

  LogicalResult assignOrder(ChainOp chain) {
    SmallVector<unsigned> ranks;
    for (TileKernelOpInterface kernel : chain.getKernels()) {
      FailureOr<SmallVector<int64_t>> grid = kernel.getTileGrid();
      if (failed(grid))
        return kernel->emitOpError("has no tile shape, so no tile order");
      ranks.push_back(grid->size());
    }
    unsigned timeRank = 2 + *llvm::max_element(ranks);
    SmallVector<AffineMap> order;
    for (auto [position, rank] : llvm::enumerate(ranks))
      order.push_back(
          getTime(position, rank, timeRank, groupRows, &getContext()));
    chain.setOrderAttr(Builder(&getContext()).getAffineMapArrayAttr(order));
    return success();
  }
};

} // namespace
