//===- PartialSums.cpp - Stream-K tiles -----------------------------------===//
//
// Part of Grout. The sums of a part lie in memory as [block of the cluster]
// [warpgroup][four accumulators][thread], so that neighbouring threads access
// neighbouring 16 bytes.
//
//===----------------------------------------------------------------------===//

#include "PartialSums.h"

#include "Epilogue.h"
#include "GemmRoles.h"
#include "grout/Hopper/Kit/Accumulators.h"

using namespace mlir;
using namespace grout;
using namespace grout::hopper;

/// Returns `a` * `factor` + `c` as an i64. `a` and `c` are unsigned i32 or i64.
static Value multiplyAdd(DeviceBuilder &b, Value a, int64_t factor, Value c) {
  auto wide = [&](Value value) -> Value {
    return value.getType().isInteger(64)
               ? value
               : arith::ExtUIOp::create(b, b.getI64Type(), value).getResult();
  };
  Value product = arith::MulIOp::create(
      b, wide(a), arith::ConstantIntOp::create(b, b.getI64Type(), factor));
  return arith::AddIOp::create(b, product, wide(c));
}

/// Returns where this thread's accumulators of part `part` are, for the tile in
/// row `row` and column `column` of the tiles with parts. All are i32.
static Value getPlace(const GemmContext &context, const BodyPlan &body,
                      Value warpgroup, Value row, Value column, Value part) {
  DeviceBuilder &b = context.b;
  const tgemm::StreamK &parts = *body.parts;
  Value thread = context.getThreadInGroup();
  Value group = b.add(b.mul(context.blockRank, body.warpgroups), warpgroup);
  Value inTile =
      b.add(b.mul(group, body.getNumAccumulators() / kQuad * kQuadRowBytes),
            b.mul(thread, kQuadBytes));
  Value index = multiplyAdd(b, row, parts.columns, column);
  index = multiplyAdd(b, index, parts.parts - 1, part);
  Value offset = multiplyAdd(
      b, index, parts.elements * static_cast<int64_t>(sizeof(float)), inTile);
  return b.offsetPointer(b.globalPointer(context.getParam(body.sumsParam)),
                         offset);
}

/// Returns the accumulators of a thread in one struct: those of one GEMM and
/// one 64-row block.
static int64_t getStructSize(const BodyPlan &body) {
  return body.tiling.getMmaN() / 2;
}

RingPosition hopper::emitStoreSums(const GemmContext &context,
                                   const BodyPlan &body, const TaskValues &task,
                                   Value warpgroup,
                                   const TileProducts &products,
                                   RingPosition position) {
  DeviceBuilder &b = context.b;
  // The storer has finished with the round before.
  const Ring &ring = context.kernel.stagingRing;
  ring.waitUntilEmpty(context, position, warpgroup);
  Value place = getPlace(context, body, warpgroup, task.x, task.y, task.z);
  int64_t size = getStructSize(body);
  for (int64_t index = 0; index != body.getNumAccumulators(); index += kQuad) {
    SmallVector<Value> quad;
    for (int64_t i = 0; i != kQuad; ++i)
      quad.push_back(emitAccumulator(b, products.accumulators[index / size],
                                     index % size + i));
    LLVM::StoreOp::create(b, b.createVector(quad),
                          b.offsetPointer(place, index / kQuad * kQuadRowBytes),
                          kQuadBytes);
  }
  b.syncWarp();
  ring.emitFilled(context, Role::consumers(1), position.buffer, warpgroup);
  return ring.advance(b, position);
}

void hopper::emitPostSums(const GemmContext &context, const BodyPlan &body,
                          const TaskValues &task, Value lastStage,
                          MutableArrayRef<RingPosition> positions) {
  DeviceBuilder &b = context.b;
  const Ring &ring = context.kernel.stagingRing;
  for (auto [index, position] :
       llvm::enumerate(positions.take_front(body.warpgroups))) {
    Value warpgroup = b.i32(index);
    ring.waitUntilFull(context, position, warpgroup);
    ring.emitRead(context, kStorer, position.buffer, warpgroup);
    position = ring.advance(b, position);
  }
  context.emitStagedRelease(body, lastStage);
  // The consumers made their stores before their arrivals, so this thread's
  // posts release these stores.
  SmallVector<Value> tile = task.getTile(b, body.grid.size());
  for (const SemaphorePost &post : body.posts)
    emitSemaphorePost(b, b.getLoc(), post, tile, context.semaphores,
                      tsync::Scope::device, tsync::Proxy::generic);
}

/// Adds the sums at `place` to `accumulators`, which are structs.
static SmallVector<Value> emitAdd(DeviceBuilder &b, const BodyPlan &body,
                                  ValueRange accumulators, Value place) {
  auto quadType = VectorType::get({kQuad}, b.getF32Type());
  int64_t size = getStructSize(body);
  SmallVector<Value> sums(accumulators);
  for (int64_t index = 0; index != body.getNumAccumulators(); index += kQuad) {
    Value quad = LLVM::LoadOp::create(
        b, quadType, b.offsetPointer(place, index / kQuad * kQuadRowBytes),
        kQuadBytes);
    Value &sum = sums[index / size];
    for (int64_t i = 0; i != kQuad; ++i) {
      int64_t at = index % size + i;
      Value added = arith::AddFOp::create(
          b, emitAccumulator(b, sum, at),
          LLVM::ExtractElementOp::create(b, quad, b.i32(i)));
      sum = LLVM::InsertValueOp::create(b, sum, added, at);
    }
  }
  return sums;
}

void hopper::emitAddSums(const GemmContext &context, const BodyPlan &body,
                         const TaskValues &task, Value warpgroup,
                         TileProducts &products) {
  if (!body.hasTilesInParts())
    return;
  DeviceBuilder &b = context.b;
  ValueRange own = products.accumulators;
  auto choice =
      scf::IfOp::create(b, own.getTypes(), context.isInParts(body, task),
                        /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(choice.elseBlock());
  scf::YieldOp::create(b, own);

  b.setInsertionPointToStart(choice.thenBlock());
  emitEpilogueWaits(context, body, task, warpgroup,
                    [&](const SemaphoreWait &wait) {
                      return wait.operand == body.sumsOperand;
                    });
  Value column = b.add(task.y, -body.parts->firstColumn);
  Value first = getPlace(context, body, warpgroup, task.x, column, b.i32(0));
  Value stride = arith::ConstantIntOp::create(
      b, b.getI64Type(),
      body.parts->elements * static_cast<int64_t>(sizeof(float)));
  // This is a loop even if there is a single part: in straight code, ptxas
  // begins so many loads at once that it spills. The tile's third coordinate is
  // 0, but compilers do not know that.
  Value count = b.add(task.z, body.parts->parts - 1);
  SmallVector<Value> inits = {first};
  inits.append(own.begin(), own.end());
  auto loop = scf::ForOp::create(b, b.i32(0), count, b.i32(1), inits);
  {
    OpBuilder::InsertionGuard loopGuard(b);
    b.setInsertionPointToStart(loop.getBody());
    Value place = loop.getRegionIterArg(0);
    SmallVector<Value> yielded = {b.offsetPointer(place, stride)};
    yielded.append(
        emitAdd(b, body, loop.getRegionIterArgs().drop_front(), place));
    scf::YieldOp::create(b, yielded);
  }
  scf::YieldOp::create(b, loop.getResults().drop_front());
  products.accumulators = llvm::to_vector_of<Value>(choice.getResults());
}
