//===- MixTiles.cpp - The tiles of image.mix ------------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Interfaces/TileKernelInterface.h"
#include "image/Image.h"
#include "image/Mix.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace grout;
using namespace image;

namespace {

struct MixTiles : TileKernelOpInterface::ExternalModel<MixTiles, MixOp> {
  /// Returns the box that begins at tile `row` and at tile `column`.
  static TileAccess getBox(AffineExpr row, AffineExpr column) {
    AffineExpr localRow = getAffineDimExpr(3, row.getContext());
    AffineExpr localColumn = getAffineDimExpr(4, row.getContext());
    auto map = AffineMap::get(
        5, 0, {row * kMixTile + localRow, column * kMixTile + localColumn},
        row.getContext());
    return {map, {kMixTile, kMixTile}};
  }

  FailureOr<SmallVector<int64_t>> getTileGrid(Operation *op) const {
    return llvm::map_to_vector(
        cast<MixOp>(op).getMixed().getType().getShape(), [](int64_t extent) {
          return llvm::divideCeilSigned(extent, kMixTile);
        });
  }
  int64_t getStepCount(Operation *op) const {
    return llvm::divideCeilSigned(
        cast<MixOp>(op).getPixels().getType().getDimSize(1), kMixTile);
  }
  TileAccess getOperandAccess(Operation *op, OpOperand &operand) const {
    AffineExpr row, column, step;
    bindDims(op->getContext(), row, column, step);
    return getBox(operand.getOperandNumber() == 0 ? row : column, step);
  }
  TileAccess getResultAccess(Operation *op, OpResult) const {
    AffineExpr row, column;
    bindDims(op->getContext(), row, column);
    return getBox(row, column);
  }
  TileWork getTileWork(Operation *op) const {
    TileWork work;
    int64_t elements = kMixTile * kMixTile;
    int64_t elementBytes = 2;
    work.flops = 2 * elements * kMixTile * getStepCount(op);
    work.bytesRead = 2 * elements * elementBytes * getStepCount(op);
    work.bytesWritten = elements * elementBytes;
    return work;
  }
};

} // namespace

void image::registerMixTiles(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, ImageDialect *) {
    MixOp::attachInterface<MixTiles>(*context);
  });
}
