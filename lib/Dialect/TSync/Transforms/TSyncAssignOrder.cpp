//===- TSyncAssignOrder.cpp - Chooses the tile order of chains ------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "GroupRows.h"
#include "grout/Dialect/TSync/IR/TSync.h"
#include "grout/Dialect/TSync/Transforms/Passes.h"
#include "grout/Target/IR/Grout.h"
#include "mlir/IR/Builders.h"
#include "llvm/Support/DebugLog.h"

#define DEBUG_TYPE "tsync-assign-order"

namespace grout::tsync {
#define GEN_PASS_DEF_TSYNCASSIGNORDER
#include "grout/Dialect/TSync/Transforms/Passes.h.inc"
} // namespace grout::tsync

using namespace mlir;
using namespace grout;
using namespace grout::tsync;

/// Whether tiles in a row of the last two dimensions of the grid of `kernel`,
/// of `rank` dimensions, read the same elements of one operand, and tiles in a
/// column those of another, as in a matmul. Then groups of rows use caches
/// best.
static bool sharesOperands(TileKernelOpInterface kernel, unsigned rank) {
  bool inRows = false, inColumns = false;
  for (OpOperand &operand : kernel->getOpOperands()) {
    if (rank < 2 || !isa<RankedTensorType>(operand.get().getType()))
      continue;
    AffineMap map = kernel.getOperandAccess(operand).map;
    bool hasRow = map.isFunctionOfDim(rank - 2);
    bool hasColumn = map.isFunctionOfDim(rank - 1);
    inRows |= hasRow && !hasColumn;
    inColumns |= hasColumn && !hasRow;
  }
  return inRows && inColumns;
}

/// Returns the time of a tile of kernel `position` with `rank` coordinates,
/// padded to `timeRank`: kernel, leading coordinates, group of rows, column,
/// row.
static AffineMap getTime(unsigned position, unsigned rank, unsigned timeRank,
                         int64_t groupRows, MLIRContext *context) {
  SmallVector<AffineExpr> time = {getAffineConstantExpr(position, context)};
  bool hasGroups = rank >= 2 && groupRows != 1;
  for (unsigned dim = 0, e = hasGroups ? rank - 2 : rank; dim != e; ++dim)
    time.push_back(getAffineDimExpr(dim, context));
  if (hasGroups) {
    AffineExpr row = getAffineDimExpr(rank - 2, context);
    time.push_back(row.floorDiv(groupRows));
    time.push_back(getAffineDimExpr(rank - 1, context));
    time.push_back(row);
  }
  time.resize(timeRank, getAffineConstantExpr(0, context));
  return AffineMap::get(rank, 0, time, context);
}

namespace {

struct TSyncAssignOrder : tsync::impl::TSyncAssignOrderBase<TSyncAssignOrder> {
  using Base::Base;

  void runOnOperation() override {
    if (groupRows < 0) {
      emitError(getOperation()->getLoc())
          << "group-rows must not be negative, got " << int64_t(groupRows);
      return signalPassFailure();
    }
    WalkResult result = getOperation()->walk([&](ChainOp chain) {
      return chain.getOrder() ? WalkResult::advance()
                              : WalkResult(assignOrder(chain));
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }

  int64_t getGroupRows(ChainOp chain, TileKernelOpInterface kernel) {
    if (groupRows != 0)
      return groupRows;
    // Tiles that wait for tiles, and tiles of a launch of several kernels, are
    // issued in the order in which their inputs are computed.
    const Target *target = findTarget(chain);
    tsync::LaunchWait wait = chain.getLaunchWait(kernel);
    bool isAlone =
        llvm::none_of(chain.getKernels(), [&](TileKernelOpInterface other) {
          return other != kernel && chain.areLaunchedTogether(other, kernel);
        });
    bool waitsForTiles = wait == tsync::LaunchWait::BeforeEnd;
    return target && isAlone && !waitsForTiles
               ? chooseGroupRows(kernel, *kernel.getTileGrid(),
                                 target->getSpec())
               : kGroupRows;
  }

  LogicalResult assignOrder(ChainOp chain) {
    SmallVector<unsigned> ranks;
    SmallVector<TileKernelOpInterface> kernels = chain.getKernels();
    for (TileKernelOpInterface kernel : kernels) {
      FailureOr<SmallVector<int64_t>> grid = kernel.getTileGrid();
      if (failed(grid))
        return kernel->emitOpError("has no tile shape, so no tile order");
      ranks.push_back(grid->size());
    }
    unsigned timeRank = 2 + *llvm::max_element(ranks);
    SmallVector<AffineMap> order;
    for (auto [position, rank] : llvm::enumerate(ranks)) {
      int64_t rows = sharesOperands(kernels[position], rank)
                         ? getGroupRows(chain, kernels[position])
                         : 1;
      order.push_back(getTime(position, rank, timeRank, rows, &getContext()));
      LDBG() << "tiles of " << kernels[position].getLoc() << " are issued at "
             << order.back()
             << (rows != 1 ? ", in groups of rows that share operands" : "");
    }
    chain.setOrderAttr(Builder(&getContext()).getAffineMapArrayAttr(order));
    chain.removeResidentsAttr();
    return success();
  }
};

} // namespace
