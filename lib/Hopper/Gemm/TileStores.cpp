//===- TileStores.cpp - From staging buffers to the result ----------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "TileStores.h"

#include "DirectStores.h"
#include "GemmRoles.h"
#include "grout/Hopper/Kit/TmaCopies.h"

using namespace mlir;
using namespace grout;
using namespace grout::hopper;

/// Copies the buffer that `warpgroup` fills at `position` to the result, unless
/// the warpgroup copies it itself.
static void emitStore(const GemmContext &context, const BodyPlan &body,
                      const TaskValues &task, Value lastStage, Value warpgroup,
                      GemmContext::MmaPlace place, RingPosition position) {
  DeviceBuilder &b = context.b;
  context.kernel.stagingRing.waitUntilFull(context, position, warpgroup);
  if (body.result.way == StoreWay::direct)
    return;
  SmallVector<Value> coordinates = {place.column, place.row};
  if (body.isSwapped())
    std::swap(coordinates[0], coordinates[1]);
  if (body.result.isBatched)
    coordinates.push_back(context.getBatch(body, task));
  Value address =
      context.getStagingAddress(body, lastStage, warpgroup, position.buffer);
  auto store = [&] {
    emitTmaStore(context, body.result.mapParam, address, coordinates);
  };
  if (body.result.way == StoreWay::tmaIfWhole)
    b.ifThen(emitIsWhole(context, body, task, place), store);
  else
    store();
  // Without a store, the group of copies is empty, and still counts.
  emitStoreGroup(b);
}

GemmContext::MmaPlace hopper::getCopyPlace(const GemmContext &context,
                                           const BodyPlan &body,
                                           GemmContext::MmaPlace tile,
                                           Value copy) {
  DeviceBuilder &b = context.b;
  int64_t copiesOfBlock = body.getNumStaged() / body.rowBlocks;
  Value block =
      body.rowBlocks == 1
          ? b.i32(0)
          : Value(arith::DivUIOp::create(b, copy, b.i32(copiesOfBlock)));
  Value column =
      b.mul(b.sub(copy, b.mul(block, copiesOfBlock)), body.result.mmaColumns);
  int64_t last = body.tiling.getResultMmaN() - body.result.mmaColumns;
  if (last % body.result.mmaColumns != 0)
    column = arith::MinUIOp::create(b, column, b.i32(last));
  return {b.add(tile.row, b.mul(block, kMmaRows)), b.add(tile.column, column)};
}

/// Frees, for each warpgroup, the buffer `count` places after its position.
static void release(const GemmContext &context,
                    ArrayRef<RingPosition> positions, int64_t count) {
  DeviceBuilder &b = context.b;
  const Ring &ring = context.kernel.stagingRing;
  for (auto [index, position] : llvm::enumerate(positions)) {
    Value warpgroup = b.i32(index);
    ring.emitRead(context, kStorer, ring.advance(b, position, count).buffer,
                  warpgroup);
  }
}

/// Emits the copies of a tile, each when its buffer is full. Frees buffers that
/// have been read.
static void emitCopies(const GemmContext &context, const BodyPlan &body,
                       const TaskValues &task, Value lastStage,
                       MutableArrayRef<RingPosition> positions) {
  DeviceBuilder &b = context.b;
  const Ring &ring = context.kernel.stagingRing;
  int64_t buffers = ring.size;
  int64_t copies = body.getNumStaged();
  GemmContext::MmaPlace tile = context.getResultPlace(body, task);
  auto loop = scf::ForOp::create(b, b.i32(0), b.i32(copies), b.i32(1),
                                 packPositions(positions));
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    llvm::copy(unpackPositions(loop.getRegionIterArgs()), positions.begin());
    Value copy = loop.getInductionVar();
    GemmContext::MmaPlace place = getCopyPlace(context, body, tile, copy);
    for (auto [index, position] : llvm::enumerate(positions))
      emitStore(context, body, task, lastStage, b.i32(index),
                {b.add(place.row, index * body.getMmaRowsPerWarpgroup()),
                 place.column},
                position);
    Value fillsLast = arith::CmpIOp::create(b, arith::CmpIPredicate::uge, copy,
                                            b.i32(buffers - 1));
    b.ifThen(fillsLast, [&] {
      // When only the copies of the other buffers are left, the oldest buffers
      // have been read.
      emitWaitUntilRead(b, body.warpgroups * (buffers - 1));
      release(context, positions, /*count=*/1);
    });
    for (RingPosition &position : positions)
      position = ring.advance(b, position);
    scf::YieldOp::create(b, packPositions(positions));
  }
  llvm::copy(unpackPositions(loop.getResults()), positions.begin());

  int64_t left = std::min(copies, buffers - 1);
  if (left == 0)
    return;
  emitWaitUntilRead(b, 0);
  for (int64_t i = 0; i != left; ++i)
    release(context, positions, buffers - left + i);
}

void hopper::emitTileStores(const GemmContext &context, const BodyPlan &body,
                            const TaskValues &task, Value lastStage,
                            MutableArrayRef<RingPosition> positions) {
  DeviceBuilder &b = context.b;
  emitCopies(context, body, task, lastStage,
             positions.take_front(body.warpgroups));
  context.emitStagedRelease(body, lastStage);
  if (body.posts.empty())
    return;
  assert(body.result.way != StoreWay::tmaIfWhole &&
         "a kernel with groups of rows is in a chain of its own");
  // Before other tiles may read the result, the copies must have been written,
  // not only read from the buffers.
  emitWaitUntilWritten(b);
  SmallVector<Value> tile = task.getTile(b, body.grid.size());
  for (const SemaphorePost &post : body.posts)
    emitSemaphorePost(b, b.getLoc(), post, tile, context.semaphores,
                      tsync::Scope::device,
                      body.result.mayBeDirect() ? tsync::Proxy::generic
                                                : tsync::Proxy::async);
}

void hopper::emitStoresEnd(const GemmContext &context) {
  emitWaitUntilWritten(context.b);
}
