//===- GemmKernel.cpp - A kernel of GEMMs ---------------------------------===//
//
// Part of Grout. A block has a producer warpgroup, in which one thread of each
// warp works, and consumer warpgroups. All of them go through the block's tasks
// in order, and synchronise only by mbarriers:
//
//   scheduler --task--> everyone
//   loaders --full stages--> consumers --empty stages--> loaders
//   consumers --full staging--> storer --empty staging--> consumers
//
// docs/HopperSynchronisation.md explains why this cannot deadlock.
//
//===----------------------------------------------------------------------===//

#include "GemmKernel.h"

#include "EarlyInputs.h"
#include "Epilogue.h"
#include "Exchange.h"
#include "GemmRoles.h"
#include "GroupTasks.h"
#include "MainLoop.h"
#include "PartialSums.h"
#include "RankSums.h"
#include "TileScheduler.h"
#include "TileStores.h"
#include "grout/Hopper/Gemm/GemmContext.h"
#include "grout/Hopper/Kit/KernelFunction.h"

using namespace mlir;
using namespace grout;
using namespace grout::hopper;

//===----------------------------------------------------------------------===//
// Roles
//===----------------------------------------------------------------------===//

static void emitLoader(const GemmContext &context, Loader loader) {
  DeviceBuilder &b = context.b;
  const GemmPlan &kernel = context.kernel;
  bool needsLaunches = llvm::any_of(kernel.bodies, [](const BodyPlan &body) {
    return body.operandsNeedLaunches;
  });
  if (loader == Loader::waiting && needsLaunches)
    emitLaunchWait(b, b.getLoc());
  SmallVector<Value> end = emitTaskLoop(
      context, TaskReader::loader,
      loader == Loader::waiting ? kernelabi::TraceRole::LoadAfterWait
                                : kernelabi::TraceRole::Load,
      packPositions(RingPosition::first(b)),
      [&](const BodyPlan &body, const TaskValues &task, ValueRange carried) {
        RingPosition after = emitTileLoads(context, body, loader, task,
                                           unpackPositions(carried).front());
        if (loader == Loader::independent)
          emitTriggerBehindLoads(b, b.getLoc(), kernel.programmatic);
        return packPositions(after);
      });
  if (context.hasCluster())
    emitLoadsEnd(context, unpackPositions(end).front());
}

/// Stores the results of all tasks of the block.
static void emitStores(const GemmContext &context) {
  DeviceBuilder &b = context.b;
  // Positions in the ring of stages, and in each warpgroup's staging buffers.
  SmallVector<RingPosition> first(1 + context.kernel.warpgroups,
                                  RingPosition::first(b));
  auto work = [&](const BodyPlan &body, const TaskValues &task,
                  ValueRange carried) {
    SmallVector<RingPosition> positions = unpackPositions(carried);
    RingPosition last =
        context.skipSteps(body, task, positions[0], /*butLast=*/1);
    auto emit = body.arePartialSums ? emitPostSums : emitTileStores;
    emit(context, body, task, last.buffer,
         MutableArrayRef(positions).drop_front());
    positions[0] = context.kernel.stageRing.advance(b, last);
    return packPositions(positions);
  };
  emitTaskLoop(context, TaskReader::thread, kernelabi::TraceRole::Store,
               packPositions(first), work);
  emitStoresEnd(context);
}

static void emitStorer(const GemmContext &context) {
  DeviceBuilder &b = context.b;
  emitStorerWait(b, b.getLoc(), context.kernel.programmatic);
  if (!context.kernel.getRankSum())
    emitStores(context);
  // A kernel that waits for this kernel's end relies on the end of all launches
  // before. This wait comes after the posts, so it delays only the end.
  if (context.kernel.programmatic.waitsAtEnd)
    emitLaunchWait(b, b.getLoc());
}

static void emitProducers(const GemmContext &context) {
  DeviceBuilder &b = context.b;
  kIndependentLoader.emit(context,
                          [&] { emitLoader(context, Loader::independent); });
  kWaitingLoader.emit(context, [&] { emitLoader(context, Loader::waiting); });
  if (context.kernel.getGroups())
    b.ifThen(b.isEqual(context.warp, *kScheduler.warp),
             [&] { emitGroupTable(context); });
  kScheduler.emit(context, [&] { emitTileScheduler(context); });
  kStorer.emit(context, [&] { emitStorer(context); });
}

static void emitConsumer(const GemmContext &context) {
  DeviceBuilder &b = context.b;
  Value warpgroup = context.getWarpgroup();
  // `own`: positions in the warpgroup's staging buffers, and in its buffer of
  // partial sums.
  auto computeTile = [&](const BodyPlan &body, const TaskValues &task,
                         RingPosition stages, ArrayRef<RingPosition> own) {
    EarlyInputs early(context, body, task, warpgroup);
    TileProducts products =
        emitTileProducts(context, body, task, warpgroup, stages, early);
    if (body.arePartialSums)
      return packPositions(
          {emitStoreSums(context, body, task, warpgroup, products, own[0]),
           own[1]});
    emitAddSums(context, body, task, warpgroup, products);
    RingPosition sums =
        emitExchange(context, body, warpgroup, products, own[1]);
    RingPosition staging = emitTileEpilogue(context, body, task, warpgroup,
                                            products, early, own[0]);
    return packPositions({staging, sums});
  };
  auto work = [&](const BodyPlan &body, const TaskValues &task,
                  ValueRange carried) {
    SmallVector<RingPosition> positions = unpackPositions(carried);
    RingPosition stages = positions[0];
    ArrayRef<RingPosition> own = ArrayRef(positions).drop_front();
    SmallVector<Value> after =
        packPositions(context.skipSteps(body, task, stages));
    if (body.warpgroups == context.kernel.warpgroups) {
      after.append(computeTile(body, task, stages, own));
      return after;
    }

    Value isActive = b.isBelow(warpgroup, b.i32(body.warpgroups));
    SmallVector<Type> types(2 * own.size(), b.getI32Type());
    auto choice =
        scf::IfOp::create(b, types, isActive, /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(choice.thenBlock());
    scf::YieldOp::create(b, computeTile(body, task, stages, own));
    b.setInsertionPointToStart(choice.elseBlock());
    emitIdleTile(context, body, task, stages);
    scf::YieldOp::create(b, packPositions(own));
    after.append(choice.getResults().begin(), choice.getResults().end());
    return after;
  };
  RingPosition first = RingPosition::first(b);
  SmallVector<Value> end = emitTaskLoop(
      context, TaskReader::wholeWarp, kernelabi::TraceRole::Compute,
      packPositions({first, first, first}), work);
  if (context.kernel.splits != 1)
    emitExchangeEnd(context, warpgroup, unpackPositions(end)[2]);
}

//===----------------------------------------------------------------------===//
// The kernel
//===----------------------------------------------------------------------===//

void hopper::emitGemmKernel(gpu::GPUModuleOp module, Location loc,
                            const GemmPlan &plan) {
  DeviceBuilder b = beginKernel(module, loc, plan);
  GemmContext context(b, plan);
  // The load is under way while the barriers are initialised. The list never
  // changes.
  context.firstTask = emitFirstTask(context);
  emitKernelStart(context, plan, plan.getRings());
  emitWarpgroups(
      context, plan, [&] { emitProducers(context); },
      [&] { emitConsumer(context); }, [&] { emitRankSums(context); });
}
