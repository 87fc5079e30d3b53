//===- GemmContext.cpp - A GEMM kernel while it is built -----------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Hopper/Gemm/GemmContext.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace grout;
using namespace grout::hopper;

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

Value GemmContext::getStagingAddress(const BodyPlan &body, Value lastStage,
                                     Value warpgroup, Value buffer) const {
  if (!kernel.isStagedInRing())
    return kernel.stagingRing.getAddress(*this, buffer, warpgroup);
  Value stage = lastStage, place = buffer;
  if (kernel.stagedSteps != 1) {
    Value inStage = b.i32(body.getBuffersInStage(kernel.stagingRing.bytes));
    stage =
        getStageBefore(lastStage, arith::DivUIOp::create(b, buffer, inStage));
    place = arith::RemUIOp::create(b, buffer, inStage);
  }
  Value rows =
      b.add(kernel.stageRing.getAddress(*this, stage), body.getA(0).offset);
  rows = b.add(rows, b.mul(warpgroup, body.rowBlocks * kRowBlockBytes));
  return b.add(rows, b.mul(place, kernel.stagingRing.bytes));
}

Value GemmContext::getStageBefore(Value stage, Value count) const {
  Value wraps = b.isBelow(stage, count);
  Value after =
      arith::SelectOp::create(b, wraps, b.i32(kernel.stageRing.size), b.i32(0));
  return b.sub(b.add(stage, after), count);
}

//===----------------------------------------------------------------------===//
// Clusters
//===----------------------------------------------------------------------===//

// The lowest bits of a block's number in its cluster give its part of the K
// steps, the bits above them its part of the rows, and the highest bits its
// part of the columns.

Value GemmContext::getStepShare(const BodyPlan &body) const {
  int64_t splits = body.tiling.getSplitK();
  return splits == 1 ? b.i32(0) : b.bitAnd(blockRank, splits - 1);
}

Value GemmContext::getRowShare(const BodyPlan &body) const {
  int64_t sharers = body.tiling.getClusterM();
  if (sharers == 1)
    return b.i32(0);
  int64_t shift = llvm::Log2_64(body.tiling.getSplitK());
  return b.bitAnd(b.shiftRight(blockRank, shift), sharers - 1);
}

Value GemmContext::getColumnShare(const BodyPlan &body) const {
  if (body.tiling.getClusterN() == 1)
    return b.i32(0);
  return b.shiftRight(blockRank, llvm::Log2_64(body.tiling.getSplitK() *
                                               body.tiling.getClusterM()));
}

void GemmContext::emitStageRelease(Value stage) const {
  kernel.stageRing.emitRead(*this, kernel.getConsumers(), stage);
}

void GemmContext::emitStagedRelease(const BodyPlan &body,
                                    Value lastStage) const {
  if (!kernel.isStagedInRing())
    return;
  int64_t arrivals = Role::consumers(body.warpgroups).arrivals;
  SmallVector<Value> barriers;
  for (int64_t step = kernel.stagedSteps; step-- != 0;)
    barriers.push_back(kernel.stageRing.getEmpty(
        *this, getStageBefore(lastStage, b.i32(step))));
  if (!kernel.multicasts) {
    for (Value barrier : barriers)
      b.arrive(barrier, arrivals);
    return;
  }
  // One arrival at a time: if not all blocks multicast to each other, the
  // arrival of a block that is a round ahead may come before the last arrival
  // of this round. A phase accepts no more arrivals than it lacks.
  auto loop = scf::ForOp::create(b, b.i32(0), b.i32(arrivals), b.i32(1));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  for (Value barrier : barriers)
    for (int64_t rank = 0; rank != kernel.clusterSize; ++rank)
      b.arriveRemote(b.remotePointer(barrier, b.i32(rank)));
}

//===----------------------------------------------------------------------===//
// Tasks
//===----------------------------------------------------------------------===//

SmallVector<Value> TaskValues::getTile(DeviceBuilder &b, unsigned rank) const {
  SmallVector<Value> tile;
  for (Value coordinate : {x, y, z})
    if (tile.size() != rank)
      tile.push_back(b.toIndex(coordinate));
  return tile;
}

Value GemmContext::isInParts(const BodyPlan &body,
                             const TaskValues &task) const {
  return arith::CmpIOp::create(b, arith::CmpIPredicate::uge, task.y,
                               b.i32(body.parts->firstColumn));
}

Value GemmContext::getFirstStep(const BodyPlan &body,
                                const TaskValues &task) const {
  if (body.arePartialSums)
    return b.mul(task.z, body.blockSteps);
  if (body.parts)
    return arith::SelectOp::create(b, isInParts(body, task),
                                   b.i32(body.parts->firstStep), b.i32(0));
  return b.mul(getStepShare(body), body.blockSteps);
}

Value GemmContext::getNumSteps(const BodyPlan &body,
                               const TaskValues &task) const {
  Value all = b.i32(body.blockSteps);
  if (!body.hasTilesInParts())
    return all;
  return arith::SelectOp::create(
      b, isInParts(body, task), b.i32(body.steps - body.parts->firstStep), all);
}

RingPosition GemmContext::skipSteps(const BodyPlan &body,
                                    const TaskValues &task,
                                    const RingPosition &position,
                                    int64_t butLast) const {
  RingPosition all =
      kernel.stageRing.advance(b, position, body.blockSteps - butLast);
  if (!body.hasTilesInParts())
    return all;
  RingPosition some = kernel.stageRing.advance(
      b, position, body.steps - body.parts->firstStep - butLast);
  Value isPart = isInParts(body, task);
  return {arith::SelectOp::create(b, isPart, some.buffer, all.buffer),
          arith::SelectOp::create(b, isPart, some.parity, all.parity)};
}

Value GemmContext::getBatch(const BodyPlan &body,
                            const TaskValues &task) const {
  if (body.groups)
    return b.bitAnd(task.z, kMaxGroups - 1);
  assert(body.isBatched() && "the grid has no batch");
  return task.x;
}

Value GemmContext::getRowEnd(const BodyPlan &body,
                             const TaskValues &task) const {
  if (body.groups)
    return b.add(task.x, b.shiftRight(task.z, llvm::Log2_64(kMaxGroups)));
  return b.i32(tgemm::ProductOpInterface(body.op).getM());
}

Value GemmContext::getFirstRow(const BodyPlan &body,
                               const TaskValues &task) const {
  Value first = body.groups ? task.x
                            : b.mul(body.isBatched() ? task.y : task.x,
                                    body.tiling.getM());
  return b.add(first, b.mul(getRowShare(body), body.tiling.getBlockM()));
}

Value GemmContext::getFirstColumn(const BodyPlan &body,
                                  const TaskValues &task) const {
  Value column = body.isBatched() ? task.z : task.y;
  if (body.arePartialSums)
    column = b.add(column, body.parts->firstColumn);
  Value first = b.mul(column, body.tiling.getN());
  return b.add(first, b.mul(getColumnShare(body), body.tiling.getBlockN()));
}

GemmContext::MmaPlace
GemmContext::getResultPlace(const BodyPlan &body,
                            const TaskValues &task) const {
  MmaPlace place = {getFirstRow(body, task), getFirstColumn(body, task)};
  if (body.isSwapped())
    std::swap(place.row, place.column);
  place.column = b.add(place.column,
                       b.mul(getStepShare(body), body.tiling.getResultMmaN()));
  return place;
}
