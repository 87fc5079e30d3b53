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

RingPosition RingPosition::advance(DeviceBuilder &b, int64_t size,
                                   int64_t count) const {
  int64_t rounds = count / size;
  Value moved = b.add(buffer, count % size);
  Value wraps = arith::CmpIOp::create(b, arith::CmpIPredicate::uge, moved,
                                      b.i32(size));
  Value carry = arith::ExtUIOp::create(b, b.getI32Type(), wraps);
  RingPosition result;
  result.buffer =
      arith::SelectOp::create(b, wraps, b.add(moved, -size), moved);
  result.parity = b.bitXor(b.bitXor(parity, rounds & 1), carry);
  return result;
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
