//===- SmoothBody.cpp - Tiles of image.smooth on CPUs ---------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "image/SmoothBody.h"

#include "grout/Conversion/TGemmToCPU/KernelSync.h"
#include "image/Image.h"
#include "image/SmoothTiles.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;
using namespace grout;
using namespace image;

static Value emitIndex(ImplicitLocOpBuilder &b, int64_t value) {
  return arith::ConstantIndexOp::create(b, value);
}

/// A loop over the part of a dimension of `extent` elements that is in tile
/// `tile`. Code goes into it afterwards.
static Value emitLoop(ImplicitLocOpBuilder &b, Value tile, int64_t tileSize,
                      int64_t extent) {
  Value size = emitIndex(b, tileSize);
  Value begin = arith::MulIOp::create(b, tile, size);
  Value end = arith::MinSIOp::create(b, arith::AddIOp::create(b, begin, size),
                                     emitIndex(b, extent));
  auto loop = scf::ForOp::create(b, begin, end, emitIndex(b, 1));
  b.setInsertionPointToStart(loop.getBody());
  return loop.getInductionVar();
}

/// `factor` times the element in row `row`, if there is one, else zero.
static Value emitTerm(ImplicitLocOpBuilder &b, Value memref, Value row,
                      Value column, float factor) {
  int64_t rows = cast<MemRefType>(memref.getType()).getDimSize(0);
  Value inside = arith::MaxSIOp::create(
      b, arith::MinSIOp::create(b, row, emitIndex(b, rows - 1)),
      emitIndex(b, 0));
  Value isInside =
      arith::CmpIOp::create(b, arith::CmpIPredicate::eq, row, inside);
  Value element = memref::LoadOp::create(b, memref, ValueRange{inside, column});
  Value zero = arith::ConstantOp::create(b, b.getF32FloatAttr(0));
  return arith::MulFOp::create(
      b, arith::SelectOp::create(b, isInside, element, zero),
      arith::ConstantOp::create(b, b.getF32FloatAttr(factor)));
}

/// The element of the result at (`row`, `column`).
static Value emitElement(ImplicitLocOpBuilder &b, Value memref, Value row,
                         Value column) {
  Value one = emitIndex(b, 1);
  Value above = arith::SubIOp::create(b, row, one);
  Value below = arith::AddIOp::create(b, row, one);
  Value sum = emitTerm(b, memref, row, column, 0.5f);
  for (Value neighbour : {above, below})
    sum = arith::AddFOp::create(b, sum,
                                emitTerm(b, memref, neighbour, column, 0.25f));
  return sum;
}

bool SmoothBody::handles(Operation *kernel) const {
  return isa<SmoothOp>(kernel);
}

LogicalResult SmoothBody::emit(TileKernelOpInterface kernel,
                               LaunchTensors &tensors,
                               const SemaphoreLayout &layout,
                               CPUTileBody &body) const {
  auto op = cast<SmoothOp>(kernel.getOperation());
  FailureOr<BufferView> input = tensors.getView(op.getInput(), op);
  FailureOr<BufferView> output = tensors.getView(op.getOutput(), op);
  if (failed(input) || failed(output))
    return failure();
  Value source = body.getMemRef(*input), target = body.getMemRef(*output);
  ImplicitLocOpBuilder b(body.loc, body.builder);

  // The op has one step, before which all is waited for.
  cpu::KernelSync sync(op, layout, body, [](unsigned) { return true; });
  sync.emitBeforeSteps(b);
  {
    OpBuilder::InsertionGuard guard(b);
    ArrayRef<int64_t> shape = op.getType().getShape();
    Value row = emitLoop(b, body.tile[0], kTileRows, shape[0]);
    Value column = emitLoop(b, body.tile[1], kTileColumns, shape[1]);
    Value element = emitElement(b, source, row, column);
    memref::StoreOp::create(b, element, target, ValueRange{row, column});
  }
  sync.emitPosts(b);
  return success();
}
