//===- GroupedMatmulTileBody.cpp - A tile of groups of rows on the CPU ----===//
//
// Part of Grout. A tile goes through the ends of all groups to find its own
// rows, and does nothing if the ends leave none for it.
//
//===----------------------------------------------------------------------===//

#include "MatrixTile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace grout;
using namespace grout::cpu;

namespace {

/// Emits the tile of one product of groups of rows.
class GroupedMatmulEmitter : MatrixTile {
public:
  GroupedMatmulEmitter(tgemm::GroupedMatmulOp op, const KernelTensors &tensors,
                       const SemaphoreLayout &layout, CPUTileBody &body);
  void emit();

private:
  /// Finds the group and the rows of the tile.
  void emitPlace(OpBuilder &builder);
  /// Returns the end of group `number`, from `begin` to the number of rows.
  Value loadEnd(OpBuilder &builder, Value number, Value begin);

  int64_t numGroups;
};

} // namespace

GroupedMatmulEmitter::GroupedMatmulEmitter(tgemm::GroupedMatmulOp op,
                                           const KernelTensors &tensors,
                                           const SemaphoreLayout &layout,
                                           CPUTileBody &body)
    : MatrixTile(op, op, tensors, layout, body), numGroups(*op.getNumGroups()) {
}

Value GroupedMatmulEmitter::loadEnd(OpBuilder &builder, Value number,
                                    Value begin) {
  Value end =
      memref::LoadOp::create(builder, body.loc, operands.back(), number);
  end = arith::IndexCastOp::create(builder, body.loc, builder.getIndexType(),
                                   end);
  end = arith::MaxSIOp::create(builder, body.loc, end, begin);
  return arith::MinSIOp::create(builder, body.loc, end,
                                body.createIndex(op.getM()));
}

void GroupedMatmulEmitter::emitPlace(OpBuilder &builder) {
  Location loc = body.loc;
  Value zero = body.createIndex(0), one = body.createIndex(1);
  Value m = body.createIndex(tileM);
  // The loop carries how many tiles the groups so far have and their end, and
  // the tile's group, first row and number of rows.
  auto loop =
      scf::ForOp::create(builder, loc, zero, body.createIndex(numGroups), one,
                         ValueRange{zero, zero, zero, zero, zero});
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    auto carried = loop.getRegionIterArgs();
    Value before = carried[0], begin = carried[1];
    Value end = loadEnd(builder, loop.getInductionVar(), begin);
    Value count = arith::SubIOp::create(builder, loc, end, begin);
    Value tiles = arith::CeilDivUIOp::create(builder, loc, count, m);
    // As an unsigned number, a tile of an earlier group is large.
    Value tile = arith::SubIOp::create(builder, loc, body.tile[0], before);
    Value isHere = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::ult, tile, tiles);
    Value skipped = arith::MulIOp::create(builder, loc, tile, m);
    Value first = add(builder, begin, skipped);
    Value left = arith::SubIOp::create(builder, loc, end, first);
    Value size = arith::MinSIOp::create(builder, loc, left, m);
    auto select = [&](Value here, Value other) {
      return arith::SelectOp::create(builder, loc, isHere, here, other);
    };
    scf::YieldOp::create(builder, loc,
                         ValueRange{add(builder, before, tiles), end,
                                    select(loop.getInductionVar(), carried[2]),
                                    select(first, carried[3]),
                                    select(size, carried[4])});
  }
  matrix = loop.getResult(2);
  rows = {loop.getResult(3), loop.getResult(4)};
  columns = createTileExtent(builder, loc, body.tile[1], tileN, op.getN());
}

void GroupedMatmulEmitter::emit() {
  OpBuilder &builder = body.builder;
  sync.emitBeforeSteps(builder);
  emitPlace(builder);
  emitClear(builder);
  // A tile without rows reads no weights.
  Value hasRows =
      arith::CmpIOp::create(builder, body.loc, arith::CmpIPredicate::ne,
                            rows.size, body.createIndex(0));
  Value steps = arith::SelectOp::create(builder, body.loc, hasRows,
                                        body.createIndex(op.getStepCount()),
                                        body.createIndex(0));
  createLoops(builder, body.loc, steps,
              [&](OpBuilder &builder, ValueRange step) {
                sync.emitAtStep(builder, step[0]);
                emitStep(builder, step[0]);
              });
  sync.emitAfterSteps(builder);
  emitEpilogue(builder);
  sync.emitPosts(builder);
}

LogicalResult cpu::checkGroupedMatmul(tgemm::GroupedMatmulOp op) {
  return checkMatrixTile(op);
}

void cpu::emitGroupedMatmulTile(tgemm::GroupedMatmulOp op,
                                const KernelTensors &tensors,
                                const SemaphoreLayout &layout,
                                CPUTileBody &body) {
  GroupedMatmulEmitter(op, tensors, layout, body).emit();
}
