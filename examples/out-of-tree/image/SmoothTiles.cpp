//===- SmoothTiles.cpp - image.smooth as a tile kernel --------------------===//
//
// Part of Grout. All that Grout's synchronisation knows of the op.
//
//===----------------------------------------------------------------------===//

#include "image/SmoothTiles.h"

#include "grout/Interfaces/TileKernelInterface.h"
#include "image/Image.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace grout;
using namespace image;

namespace {

/// Tiles of a matrix, and boxes with `halo` rows more above and below.
struct SmoothTiles
    : TileKernelOpInterface::ExternalModel<SmoothTiles, SmoothOp> {
  static TileAccess getAccess(Operation *op, int64_t halo) {
    MLIRContext *context = op->getContext();
    // (tile row, tile column, step, row, column) -> (row, column)
    AffineExpr row, column, step, localRow, localColumn;
    bindDims(context, row, column, step, localRow, localColumn);
    auto map = AffineMap::get(5, 0,
                              {row * kTileRows + localRow - halo,
                               column * kTileColumns + localColumn},
                              context);
    return {map, {kTileRows + 2 * halo, kTileColumns}};
  }

  FailureOr<SmallVector<int64_t>> getTileGrid(Operation *op) const {
    ArrayRef<int64_t> shape = cast<SmoothOp>(op).getType().getShape();
    return SmallVector<int64_t>{llvm::divideCeilSigned(shape[0], kTileRows),
                                llvm::divideCeilSigned(shape[1], kTileColumns)};
  }
  int64_t getStepCount(Operation *) const { return 1; }
  TileAccess getOperandAccess(Operation *op, OpOperand &) const {
    return getAccess(op, /*halo=*/1);
  }
  TileAccess getResultAccess(Operation *op, OpResult) const {
    return getAccess(op, /*halo=*/0);
  }
  TileWork getTileWork(Operation *) const {
    TileWork work;
    int64_t elementBytes = sizeof(float);
    work.flops = 4 * kTileRows * kTileColumns;
    work.bytesRead = (kTileRows + 2) * kTileColumns * elementBytes;
    work.bytesWritten = kTileRows * kTileColumns * elementBytes;
    return work;
  }
};

} // namespace

void image::registerSmoothTiles(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, ImageDialect *) {
    SmoothOp::attachInterface<SmoothTiles>(*context);
  });
}
