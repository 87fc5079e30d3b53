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
// Addresses
//===----------------------------------------------------------------------===//

Value KernelContext::getStagingAddress(const BodyPlan &body, Value lastStage,
                                       Value warpgroup, Value buffer) const {
  if (!kernel.isStagedInRing)
    return b.add(b.add(shared, kernel.stagingOffset),
                 b.mul(getStagingIndex(warpgroup, buffer), kStagingBytes));
  static_assert(kStagingBytes == kRowBlockBytes,
                "a staging buffer takes the place of 64 rows");
  Value rows = b.add(getStageAddress(lastStage), body.factors.front().offset);
  Value block = b.add(b.mul(warpgroup, body.rowBlocks), buffer);
  return b.add(rows, b.mul(block, kRowBlockBytes));
}

//===----------------------------------------------------------------------===//
// Ring positions
//===----------------------------------------------------------------------===//

RingPosition RingPosition::advance(DeviceBuilder &b, int64_t size,
                                   int64_t count) const {
  int64_t rounds = count / size;
  Value moved = b.add(buffer, count % size);
  Value wraps =
      arith::CmpIOp::create(b, arith::CmpIPredicate::uge, moved, b.i32(size));
  Value carry = arith::ExtUIOp::create(b, b.getI32Type(), wraps);
  RingPosition result;
  result.buffer = arith::SelectOp::create(b, wraps, b.add(moved, -size), moved);
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
  assert(body.isBatched() && "the grid has no batch");
  return x;
}

Value TileTask::getFirstRow(DeviceBuilder &b, const BodyPlan &body) const {
  return b.mul(body.isBatched() ? y : x, body.tiling.getM());
}

Value TileTask::getFirstColumn(DeviceBuilder &b, const BodyPlan &body) const {
  return b.mul(body.isBatched() ? z : y, body.tiling.getN());
}
