//===- AttentionKernel.cpp - A Hopper attention kernel --------------------===//
//
// Part of Grout. A block computes one tile, or a part of the steps of a tile.
// It has a producer warpgroup, in which one thread of two warps works, and
// consumer warpgroups. Each consumer warpgroup has 64 rows of its own, or all
// have the same 64 rows:
//
//   loader --full queries, keys, values--> consumers --empty keys, values-->
//   loader; consumers --full result--> storer
//
// docs/HopperAttention.md explains why this cannot deadlock.
//
//===----------------------------------------------------------------------===//

#include "AttentionKernel.h"

#include "AttentionContext.h"
#include "AttentionLoop.h"
#include "AttentionRoles.h"
#include "grout/Hopper/Kit/KernelFunction.h"
#include "grout/Hopper/Kit/TmaCopies.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace grout;
using namespace grout::hopper;

Value AttentionContext::getKeyHead() const {
  int64_t tiles = op().getGroupTiles(plan.tiling.getHeads());
  if (tiles == 1)
    return headGroup;
  return arith::DivUIOp::create(b, headGroup, b.i32(tiles));
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

/// Sets the tile that the block computes. Tiles of a head follow each other,
/// because they read the same keys. But if a causal mask gives late queries
/// more keys, the tiles with the most keys come first, so that none of them
/// runs last.
static void emitTile(AttentionContext &context) {
  DeviceBuilder &b = context.b;
  const AttentionPlan &plan = context.plan;
  Value tile = NVVM::BlockIdXOp::create(b, b.getI32Type());
  if (plan.isSplit())
    tile = b.shiftRight(tile, llvm::Log2_64(plan.tiling.getSplits()));
  auto split = [&](Value &index, int64_t extent) -> Value {
    if (extent == 1)
      return b.i32(0);
    Value size = b.i32(extent);
    Value rest = arith::RemUIOp::create(b, index, size);
    index = arith::DivUIOp::create(b, index, size);
    return rest;
  };
  if (context.op().getCausal() && plan.waits.empty()) {
    context.headGroup = split(tile, plan.grid[1]);
    context.resultBatch = split(tile, plan.grid[0]);
    context.queryGroup = b.sub(b.i32(plan.grid[2] - 1), tile);
  } else {
    context.queryGroup = split(tile, plan.grid[2]);
    context.headGroup = split(tile, plan.grid[1]);
    context.resultBatch = tile;
  }
  context.part = b.i32(0);
  context.batch = context.resultBatch;
  if (context.op().getParts() == 1)
    return;
  context.part = context.resultBatch;
  context.batch = split(context.part, context.op().getBatch());
}

/// Sets the steps that the block computes.
static void emitSteps(AttentionContext &context) {
  DeviceBuilder &b = context.b;
  const AttentionPlan &plan = context.plan;
  Value end =
      b.i32(llvm::divideCeilSigned(context.op().getKeys(), plan.tiling.getN()));
  if (std::optional<int64_t> causal = context.op().getCausal()) {
    // The last query has the most keys.
    Value keys =
        b.add(context.getFirstQuery(), plan.tiling.getQueries() + *causal);
    keys = arith::MaxSIOp::create(b, keys, b.i32(1));
    Value n = b.i32(plan.tiling.getN());
    Value steps =
        arith::DivUIOp::create(b, b.add(keys, plan.tiling.getN() - 1), n);
    end = arith::MinUIOp::create(b, end, steps);
  }
  context.firstStep = b.i32(0);
  if (plan.isSplit()) {
    Value share =
        b.add(context.blockRank, b.mul(context.part, plan.tiling.getSplits()));
    context.firstStep = b.mul(share, plan.blockSteps);
    end = arith::MinUIOp::create(b, end,
                                 b.add(context.firstStep, plan.blockSteps));
  }
  // Each warpgroup has at least one step, even if all its keys are masked.
  if (plan.isSplit() || plan.getSharers() != 1)
    end = arith::MaxUIOp::create(b, end,
                                 b.add(context.firstStep, plan.getSharers()));
  context.endStep = end;
}

//===----------------------------------------------------------------------===//
// Roles
//===----------------------------------------------------------------------===//

/// Returns the coordinates of chunk `chunk` of the rows of warpgroup
/// `warpgroup`.
static SmallVector<Value> getRowCoordinates(const AttentionContext &context,
                                            int64_t chunk, int64_t warpgroup) {
  DeviceBuilder &b = context.b;
  int64_t queries = context.plan.getRowGroupQueries();
  return {b.i32(chunk * kChunk), context.getFirstHead(),
          b.add(context.getFirstQuery(), warpgroup * queries), context.batch};
}

static void emitQueryLoads(const AttentionContext &context) {
  DeviceBuilder &b = context.b;
  const AttentionPlan &plan = context.plan;
  Value barrier = plan.queryRing.getFull(context);
  // Only of rows that have queries.
  b.arriveExpecting(barrier,
                    plan.memory.keyChunks * plan.tiling.getM() * kRowBytes);
  for (int64_t chunk = 0; chunk != plan.memory.keyChunks; ++chunk)
    for (int64_t group = 0; group != plan.rowGroups; ++group)
      emitTmaLoad(context,
                  {plan.queryParam, getRowCoordinates(context, chunk, group)},
                  context.getRowsAddress(b.i32(group), chunk), barrier);
}

/// Returns the coordinates of chunk `chunk` of the keys or values of `step`.
static SmallVector<Value> getStepCoordinates(const AttentionContext &context,
                                             int64_t chunk, Value step) {
  DeviceBuilder &b = context.b;
  return {b.i32(chunk * kChunk), context.getKeyHead(),
          b.mul(step, context.plan.tiling.getN()), context.batch};
}

/// Prefetches into L2 the keys and values of the block's first steps, as many
/// as there are stages, if they may have to come from memory. Launches before
/// may still write some of this data, but they write to the same cache, so no
/// wait is needed.
static void emitStepPrefetches(const AttentionContext &context) {
  DeviceBuilder &b = context.b;
  const AttentionPlan &plan = context.plan;
  if (!plan.fetchesKeys && !plan.fetchesValues)
    return;
  Value end = arith::MinUIOp::create(
      b, context.endStep, b.add(context.firstStep, plan.keyRing.size));
  auto loop = scf::ForOp::create(b, context.firstStep, end, b.i32(1));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  auto fetch = [&](unsigned map, int64_t chunks) {
    for (int64_t chunk = 0; chunk != chunks; ++chunk)
      emitTmaPrefetch(
          context,
          {map, getStepCoordinates(context, chunk, loop.getInductionVar())});
  };
  if (plan.fetchesKeys)
    fetch(plan.keyParam, plan.memory.keyChunks);
  if (plan.fetchesValues)
    fetch(plan.valueParam, plan.memory.valueChunks);
}

/// Loads the keys or values of `step`.
static void emitStepLoads(const AttentionContext &context, bool isValue,
                          Value step, const RingPosition &position) {
  DeviceBuilder &b = context.b;
  const AttentionPlan &plan = context.plan;
  const Ring &ring = plan.getRing(isValue);
  ring.waitUntilEmpty(context, position);
  Value barrier = ring.getFull(context, position.buffer);
  b.arriveExpecting(barrier, ring.bytes);
  Value address = ring.getAddress(context, position.buffer);
  int64_t chunks = isValue ? plan.memory.valueChunks : plan.memory.keyChunks;
  for (int64_t chunk = 0; chunk != chunks; ++chunk)
    emitTmaLoad(context,
                {isValue ? plan.valueParam : plan.keyParam,
                 getStepCoordinates(context, chunk, step)},
                b.add(address, chunk * plan.getStepChunkBytes()), barrier);
}

/// Emits the waits for all operands for which `isMeant` holds, for all steps of
/// the block. This includes steps that a mask leaves out, because policies do
/// not know of masks.
static void emitWaits(const AttentionContext &context,
                      function_ref<bool(unsigned operand)> isMeant,
                      tsync::Proxy proxy) {
  DeviceBuilder &b = context.b;
  SmallVector<Value> tile = context.getTile();
  SmallVector<Value> task = {b.i32(0), context.resultBatch, context.headGroup,
                             context.queryGroup};
  for (const SemaphoreWait &wait : context.plan.waits) {
    if (!isMeant(wait.operand))
      continue;
    auto emit = [&](Value step) {
      emitSemaphoreWaits(b, b.getLoc(), wait, tile, step, context.semaphores,
                         tsync::Scope::device, proxy, task);
    };
    if (!wait.dependsOnStep) {
      emit(arith::ConstantIndexOp::create(b, 0));
      continue;
    }
    // A block waits for its own steps, but not for steps beyond the tile's
    // last.
    Value first = b.i32(0), end = b.i32(context.plan.steps);
    if (context.plan.isSplit()) {
      first = b.mul(context.blockRank, context.plan.blockSteps);
      end =
          arith::MinUIOp::create(b, end, b.add(first, context.plan.blockSteps));
    }
    auto loop = scf::ForOp::create(b, first, end, b.i32(1));
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    emit(b.toIndex(loop.getInductionVar()));
  }
}

static bool isLoaded(unsigned operand) { return operand < 3; }
static bool isBias(unsigned operand) { return operand == 3; }

static void emitLoader(const AttentionContext &context) {
  DeviceBuilder &b = context.b;
  const AttentionPlan &plan = context.plan;
  emitStepPrefetches(context);
  if (plan.loadsNeedLaunches)
    emitLaunchWait(b, b.getLoc());
  emitWaits(context, isLoaded, tsync::Proxy::async);
  emitQueryLoads(context);
  // Both rings have equally many stages, and so equal positions.
  plan.keyRing.emitLoop(b, context.firstStep, context.endStep,
                        RingPosition::first(b),
                        [&](Value step, const RingPosition &here) {
                          emitStepLoads(context, /*isValue=*/false, step, here);
                          emitStepLoads(context, /*isValue=*/true, step, here);
                        });
  emitTriggerBehindLoads(b, b.getLoc(), plan.programmatic);
}

static void emitStorer(const AttentionContext &context) {
  DeviceBuilder &b = context.b;
  const AttentionPlan &plan = context.plan;
  emitStorerWait(b, b.getLoc(), plan.programmatic);
  // Blocks that split steps store the result when they join it.
  if (plan.isSplit())
    return;
  b.waitParity(plan.resultRing.getFull(context), b.i32(0));
  for (int64_t chunk = 0; chunk != plan.memory.valueChunks; ++chunk)
    for (int64_t group = 0; group != plan.rowGroups; ++group)
      emitTmaStore(context, plan.resultParam,
                   context.getRowsAddress(b.i32(group), chunk),
                   getRowCoordinates(context, chunk, group));
  emitStoreGroup(b);
  // Other kernels may read the result only when it has been written.
  emitWaitUntilWritten(b);
  emitAttentionEnd(context, tsync::Proxy::async);
}

static void emitProducers(const AttentionContext &context) {
  kAttentionLoader.emit(context, [&] { emitLoader(context); });
  kAttentionStorer.emit(context, [&] { emitStorer(context); });
  if (context.plan.isSplit())
    context.b.waitForCluster();
}

static void emitConsumer(const AttentionContext &context) {
  DeviceBuilder &b = context.b;
  const AttentionPlan &plan = context.plan;
  // Threads read the bias themselves.
  if (plan.biasNeedsLaunches)
    emitLaunchWait(b, b.getLoc());
  if (llvm::any_of(plan.waits, [](const SemaphoreWait &wait) {
        return isBias(wait.operand);
      })) {
    b.ifThen(b.isEqual(context.lane, 0),
             [&] { emitWaits(context, isBias, tsync::Proxy::generic); });
    b.syncWarp();
  }
  emitAttentionConsumer(context);
}

//===----------------------------------------------------------------------===//
// The kernel
//===----------------------------------------------------------------------===//

void hopper::emitAttentionKernel(gpu::GPUModuleOp module, Location loc,
                                 const AttentionPlan &plan) {
  DeviceBuilder b = beginKernel(module, loc, plan);
  AttentionContext context(b, plan);
  emitTile(context);
  emitSteps(context);
  emitKernelStart(context, plan, plan.getRings());
  emitWarpgroups(
      context, plan, [&] { emitProducers(context); },
      [&] { emitConsumer(context); });
}
