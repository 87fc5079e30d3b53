//===- KernelContext.cpp - A kernel while it is built ---------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "KernelContext.h"

using namespace mlir;
using namespace grout;
using namespace grout::hopper;

//===----------------------------------------------------------------------===//
// Ring positions
//===----------------------------------------------------------------------===//

/// `value` as an i32 of 0 or 1.
static Value toI32(DeviceBuilder &b, Value value) {
  return arith::ExtUIOp::create(b, b.getI32Type(), value);
}

RingPosition RingPosition::advance(const KernelContext &context,
                                   int64_t steps) const {
  DeviceBuilder &b = context.b;
  int64_t stages = context.kernel.stages;
  int64_t rounds = steps / stages;
  Value moved = b.add(stage, steps % stages);
  Value wraps = arith::CmpIOp::create(b, arith::CmpIPredicate::uge, moved,
                                      b.i32(stages));
  Value wrapped = b.add(moved, -stages);
  RingPosition result;
  result.stage = arith::SelectOp::create(b, wraps, wrapped, moved);
  result.parity = b.bitXor(b.bitXor(parity, rounds & 1), toI32(b, wraps));
  return result;
}

RingPosition RingPosition::next(const KernelContext &context) const {
  return advance(context, 1);
}

//===----------------------------------------------------------------------===//
// Tasks
//===----------------------------------------------------------------------===//

SmallVector<Value> TileTask::getTile(DeviceBuilder &b, unsigned rank) const {
  SmallVector<Value> tile;
  for (Value coordinate : {x, y, z})
    if (tile.size() != rank)
      tile.push_back(b.toIndex(coordinate));
  return tile;
}

Value TileTask::getBatch(const BodyPlan &body) const {
  assert(body.op.isBatched() && "the grid has no batch");
  return x;
}

Value TileTask::getFirstRow(DeviceBuilder &b, const BodyPlan &body) const {
  return b.mul(body.op.isBatched() ? y : x, body.tiling.getM());
}

Value TileTask::getFirstColumn(DeviceBuilder &b, const BodyPlan &body) const {
  return b.mul(body.op.isBatched() ? z : y, body.tiling.getN());
}
