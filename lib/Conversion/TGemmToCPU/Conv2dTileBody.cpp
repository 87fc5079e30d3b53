//===- Conv2dTileBody.cpp - A tile of tgemm.conv2d on the CPU -------------===//
//
// Part of Grout. A step consists of one or more blocks of the reduction. A
// block is one element of the filter, and several channels.
//
//===----------------------------------------------------------------------===//

#include "ProductTile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace grout;
using namespace grout::cpu;

namespace {

/// A block of the reduction: an element of the filter, the channels of the
/// filter, and the first of these channels in the image.
struct ReductionBlock {
  Value filterRow, filterColumn;
  Extent channels;
  Value firstOfImage;
};

/// Emits the tile of one convolution.
class Conv2dEmitter : ProductTile {
public:
  Conv2dEmitter(tgemm::Conv2dOp op, const KernelTensors &tensors,
                const SemaphoreLayout &layout, CPUTileBody &body);
  void emit();

private:
  void emitStep(OpBuilder &builder, Value step);
  void emitBlock(OpBuilder &builder, Value number);
  /// Shifts `block` to the channels that the tile's features read.
  void emitGroup(OpBuilder &builder, ReductionBlock &block);
  void emitPack(OpBuilder &builder, const ReductionBlock &block);
  void emitPixel(OpBuilder &builder, const ReductionBlock &block, Value m);

  Value div(OpBuilder &builder, Value value, int64_t divisor) {
    return arith::DivUIOp::create(builder, body.loc, value,
                                  body.createIndex(divisor));
  }
  Value rem(OpBuilder &builder, Value value, int64_t divisor) {
    return arith::RemUIOp::create(builder, body.loc, value,
                                  body.createIndex(divisor));
  }
  Value scale(OpBuilder &builder, Value value, int64_t factor) {
    return arith::MulIOp::create(builder, body.loc, value,
                                 body.createIndex(factor));
  }
  /// Returns the first channel of the image that the tile's features read.
  Value getFirstChannel(OpBuilder &builder);
  /// Returns the row or column of the image that `pixel` reads with `tap`, and
  /// whether it is inside of the image.
  std::pair<Value, Value> getImageElement(OpBuilder &builder, unsigned axis,
                                          Value pixel, Value tap);

  tgemm::Conv2dOp conv;
};

} // namespace

/// Returns how many channels are summed up at a time.
static int64_t getDepth(tgemm::Conv2dOp op) {
  return std::min(tgemm::Conv2dOp::kChannelBlock, op.getFilterChannels());
}

Conv2dEmitter::Conv2dEmitter(tgemm::Conv2dOp op, const KernelTensors &tensors,
                             const SemaphoreLayout &layout, CPUTileBody &body)
    : ProductTile(op, op, getDepth(op), tensors, layout, body), conv(op) {
  setPlace(body.tile[0], body.tile[1]);
}

std::pair<Value, Value> Conv2dEmitter::getImageElement(OpBuilder &builder,
                                                       unsigned axis,
                                                       Value pixel, Value tap) {
  Value padded = add(builder, scale(builder, pixel, conv.getStrides()[axis]),
                     scale(builder, tap, conv.getDilations()[axis]));
  Value element = arith::SubIOp::create(
      builder, body.loc, padded, body.createIndex(conv.getLowPadding(axis)));
  // As an unsigned number, an index before the first one is large.
  Value isInside =
      arith::CmpIOp::create(builder, body.loc, arith::CmpIPredicate::ult,
                            element, body.createIndex(conv.getImageSize(axis)));
  return {element, isInside};
}

Value Conv2dEmitter::getFirstChannel(OpBuilder &builder) {
  int64_t features = conv.getBlockFeatures();
  Value first = scale(builder, div(builder, columns.begin, features), features);
  return scale(builder, div(builder, first, conv.getGroupFeatures()),
               conv.getGroupChannels());
}

void Conv2dEmitter::emitPack(OpBuilder &builder, const ReductionBlock &block) {
  createLoops(builder, body.loc, {columns.size, block.channels.size},
              [&](OpBuilder &builder, ValueRange at) {
                Value element =
                    loadElement(builder, operands[1],
                                {add(builder, columns.begin, at[0]),
                                 block.filterRow, block.filterColumn,
                                 add(builder, block.channels.begin, at[1])});
                memref::StoreOp::create(builder, body.loc, element, panel,
                                        ValueRange{at[1], at[0]});
              });
}

void Conv2dEmitter::emitPixel(OpBuilder &builder, const ReductionBlock &block,
                              Value m) {
  Value number = add(builder, rows.begin, m);
  int64_t pixelColumns = conv.getPixels(1);
  int64_t pixels = conv.getPixels(0) * pixelColumns;
  Value pixel = rem(builder, number, pixels);
  auto [row, isRowInside] = getImageElement(
      builder, 0, div(builder, pixel, pixelColumns), block.filterRow);
  auto [column, isColumnInside] = getImageElement(
      builder, 1, rem(builder, pixel, pixelColumns), block.filterColumn);
  Value isInside =
      arith::AndIOp::create(builder, body.loc, isRowInside, isColumnInside);
  auto branch = scf::IfOp::create(builder, body.loc, isInside);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  SmallVector<Value> at = {div(builder, number, pixels), row, column};
  emitRowUpdate(builder, accumulators[0], block.channels.size, m,
                [&](OpBuilder &builder, Value channel) {
                  SmallVector<Value> element(at);
                  element.push_back(add(builder, block.firstOfImage, channel));
                  return loadElement(builder, operands[0], element);
                });
}

void Conv2dEmitter::emitGroup(OpBuilder &builder, ReductionBlock &block) {
  block.firstOfImage =
      add(builder, block.firstOfImage, getFirstChannel(builder));
  // Channels behind the last one, which a block of features may read, are 0.
  Value all = body.createIndex(conv.getChannels());
  Value begin =
      arith::MinUIOp::create(builder, body.loc, block.firstOfImage, all);
  Value rest = arith::SubIOp::create(builder, body.loc, all, begin);
  block.channels.size =
      arith::MinUIOp::create(builder, body.loc, block.channels.size, rest);
}

void Conv2dEmitter::emitBlock(OpBuilder &builder, Value number) {
  int64_t taps = conv.getFilterSize(0) * conv.getFilterSize(1);
  Value tap = rem(builder, number, taps);
  ReductionBlock block = {div(builder, tap, conv.getFilterSize(1)),
                          rem(builder, tap, conv.getFilterSize(1)),
                          createTileExtent(builder, body.loc,
                                           div(builder, number, taps), depth,
                                           conv.getFilterChannels()),
                          Value()};
  block.firstOfImage = block.channels.begin;
  if (conv.getGroups() != 1)
    emitGroup(builder, block);
  emitPack(builder, block);
  createLoops(builder, body.loc, rows.size,
              [&](OpBuilder &builder, ValueRange m) {
                emitPixel(builder, block, m[0]);
              });
}

void Conv2dEmitter::emitStep(OpBuilder &builder, Value step) {
  int64_t blocks = op.getTiling()->getK() / tgemm::Conv2dOp::kChannelBlock;
  Extent numbers = createTileExtent(builder, body.loc, step, blocks,
                                    conv.getReductionBlocks());
  createLoops(builder, body.loc, numbers.size,
              [&](OpBuilder &builder, ValueRange block) {
                emitBlock(builder, add(builder, numbers.begin, block[0]));
              });
}

void Conv2dEmitter::emit() {
  OpBuilder &builder = body.builder;
  emitClear(builder);
  sync.emitBeforeSteps(builder);
  createLoops(builder, body.loc, body.createIndex(op.getStepCount()),
              [&](OpBuilder &builder, ValueRange step) {
                sync.emitAtStep(builder, step[0]);
                emitStep(builder, step[0]);
              });
  sync.emitAfterSteps(builder);
  emitEpilogue(builder);
  sync.emitPosts(builder);
}

LogicalResult cpu::checkConv2d(tgemm::Conv2dOp op) {
  return checkProductTile(op, getDepth(op));
}

void cpu::emitConv2dTile(tgemm::Conv2dOp op, const KernelTensors &tensors,
                         const SemaphoreLayout &layout, CPUTileBody &body) {
  Conv2dEmitter(op, tensors, layout, body).emit();
}
