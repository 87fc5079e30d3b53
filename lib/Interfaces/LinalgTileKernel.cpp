//===- LinalgTileKernel.cpp - linalg ops as tile kernels ------------------===//
//
// Part of Grout. The loops and indexing maps of an op determine all answers.
//
//===----------------------------------------------------------------------===//

#include "grout/Interfaces/LinalgTileKernel.h"

#include "grout/Interfaces/TileKernelInterface.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/DialectRegistry.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace grout {
namespace {

/// The loops of a linalg op, cut into tiles and steps.
struct TiledLoops {
  SmallVector<int64_t> extents; // of each loop, in elements
  SmallVector<int64_t> tiles;   // tile size of each loop, in elements
  SmallVector<unsigned> parallel;
  std::optional<unsigned> stepLoop; // the reduction loop that is cut
};

FailureOr<TiledLoops> getTiledLoops(linalg::LinalgOp op) {
  auto sizes = op->getAttrOfType<DenseI64ArrayAttr>(kLinalgTileSizesAttrName);
  TiledLoops loops;
  loops.extents = op.getStaticLoopRanges();
  if (!sizes || sizes.size() != static_cast<int64_t>(loops.extents.size()))
    return failure();
  auto iterators = op.getIteratorTypesArray();
  for (auto [loop, extent, tile] :
       llvm::enumerate(loops.extents, sizes.asArrayRef())) {
    // A dynamic extent is negative; an empty tensor has no tiles.
    if (tile <= 0 || extent <= 0)
      return failure();
    int64_t size = std::min(tile, extent);
    loops.tiles.push_back(size);
    if (iterators[loop] == utils::IteratorType::parallel) {
      loops.parallel.push_back(loop);
    } else if (size < extent) {
      if (loops.stepLoop)
        return failure();
      loops.stepLoop = loop;
    }
  }
  return loops;
}

/// Returns the access of a tile, for `indexing`, a map of the loops.
TileAccess getAccess(const TiledLoops &loops, AffineMap indexing) {
  MLIRContext *context = indexing.getContext();
  unsigned numTileDims = loops.parallel.size();
  SmallVector<AffineExpr> loopExprs(loops.tiles.size());
  SmallVector<int64_t> localSizes;
  for (unsigned loop = 0, e = loops.tiles.size(); loop != e; ++loop) {
    AffineExpr local =
        getAffineDimExpr(numTileDims + 1 + localSizes.size(), context);
    localSizes.push_back(loops.tiles[loop]);
    loopExprs[loop] = local;
    if (loops.stepLoop == loop)
      loopExprs[loop] =
          getAffineDimExpr(numTileDims, context) * loops.tiles[loop] + local;
  }
  for (auto [tileDim, loop] : llvm::enumerate(loops.parallel))
    loopExprs[loop] = getAffineDimExpr(tileDim, context) * loops.tiles[loop] +
                      loopExprs[loop];
  auto tiling = AffineMap::get(numTileDims + 1 + localSizes.size(), 0,
                               loopExprs, context);
  return {indexing.compose(tiling), localSizes};
}

int64_t getBytes(Value tensor, int64_t elements) {
  return elements *
         llvm::divideCeil(
             getElementTypeOrSelf(tensor.getType()).getIntOrFloatBitWidth(), 8);
}

template <typename OpTy>
struct LinalgTileKernel
    : TileKernelOpInterface::ExternalModel<LinalgTileKernel<OpTy>, OpTy> {
  FailureOr<SmallVector<int64_t>> getTileGrid(Operation *op) const {
    FailureOr<TiledLoops> loops = getTiledLoops(cast<linalg::LinalgOp>(op));
    if (failed(loops))
      return failure();
    SmallVector<int64_t> grid;
    for (unsigned loop : loops->parallel)
      grid.push_back(
          llvm::divideCeil(loops->extents[loop], loops->tiles[loop]));
    return grid;
  }

  int64_t getStepCount(Operation *op) const {
    FailureOr<TiledLoops> loops = getTiledLoops(cast<linalg::LinalgOp>(op));
    if (failed(loops) || !loops->stepLoop)
      return 1;
    return llvm::divideCeil(loops->extents[*loops->stepLoop],
                            loops->tiles[*loops->stepLoop]);
  }

  TileAccess getOperandAccess(Operation *op, OpOperand &operand) const {
    auto linalgOp = cast<linalg::LinalgOp>(op);
    return getAccess(*getTiledLoops(linalgOp),
                     linalgOp.getMatchingIndexingMap(&operand));
  }

  TileAccess getResultAccess(Operation *op, OpResult result) const {
    auto linalgOp = cast<linalg::LinalgOp>(op);
    return getAccess(*getTiledLoops(linalgOp),
                     linalgOp.getIndexingMapMatchingResult(result));
  }

  TileWork getTileWork(Operation *op) const {
    auto linalgOp = cast<linalg::LinalgOp>(op);
    TiledLoops loops = *getTiledLoops(linalgOp);
    int64_t points = 1, written = 1;
    for (unsigned loop = 0, e = loops.tiles.size(); loop != e; ++loop) {
      bool isParallel = llvm::is_contained(loops.parallel, loop);
      points *= isParallel ? loops.tiles[loop] : loops.extents[loop];
      written *= isParallel ? loops.tiles[loop] : 1;
    }
    TileWork work;
    int64_t bodyOps =
        llvm::range_size(linalgOp.getBlock()->without_terminator());
    work.flops = points * std::max<int64_t>(1, bodyOps);
    for (OpOperand *input : linalgOp.getDpsInputOperands()) {
      int64_t elements = 1;
      AffineMap map = linalgOp.getMatchingIndexingMap(input);
      for (unsigned loop = 0, e = loops.tiles.size(); loop != e; ++loop)
        if (map.isFunctionOfDim(loop))
          elements *= llvm::is_contained(loops.parallel, loop)
                          ? loops.tiles[loop]
                          : loops.extents[loop];
      work.bytesRead += getBytes(input->get(), elements);
    }
    for (Value result : op->getResults())
      work.bytesWritten += getBytes(result, written);
    return work;
  }
};

} // namespace

void registerLinalgTileKernelModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, linalg::LinalgDialect *) {
    linalg::MatmulOp::attachInterface<LinalgTileKernel<linalg::MatmulOp>>(
        *context);
    linalg::BatchMatmulOp::attachInterface<
        LinalgTileKernel<linalg::BatchMatmulOp>>(*context);
    linalg::GenericOp::attachInterface<LinalgTileKernel<linalg::GenericOp>>(
        *context);
    linalg::TransposeOp::attachInterface<LinalgTileKernel<linalg::TransposeOp>>(
        *context);
    linalg::Conv2DNhwcHwcfOp::attachInterface<
        LinalgTileKernel<linalg::Conv2DNhwcHwcfOp>>(*context);
  });
}

} // namespace grout
