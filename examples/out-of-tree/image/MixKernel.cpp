//===- MixKernel.cpp - A kernel from the kit for Hopper -------------------===//
//
// Part of Grout. A block computes one tile. A loader fills a ring of stages by
// TMA, a consumer warpgroup multiplies them by wgmma, and a storer stores the
// result by TMA:
//
//   loader --full stages--> consumers --empty stages--> loader
//   consumers --full result--> storer
//
//===----------------------------------------------------------------------===//

#include "grout/Conversion/Common/LaunchTensors.h"
#include "grout/Conversion/Common/SemaphoreLayout.h"
#include "grout/Conversion/Common/SyncState.h"
#include "grout/Hopper/Kit/Accumulators.h"
#include "grout/Hopper/Kit/KernelFunction.h"
#include "grout/Hopper/Kit/Staging.h"
#include "grout/Hopper/Kit/TmaCopies.h"
#include "grout/Hopper/Kit/Wgmma.h"
#include "grout/Target/IR/Grout.h"
#include "image/Image.h"
#include "image/Mix.h"

using namespace mlir;
using namespace grout;
using namespace grout::hopper;
using namespace image;

static constexpr Role kLoader = Role::producer(0);
static constexpr Role kStorer = Role::producer(1);
static constexpr int64_t kStages = 4;

namespace {

/// All decisions before code is built.
struct MixPlan : KernelPlan {
  SmallVector<int64_t> grid;
  int64_t steps = 0;
  /// A stage has the rows of the pixels, and then those of the weights.
  Ring stages, result;
  unsigned pixels = 0, weights = 0, mixed = 0;
  SmallVector<SemaphoreWait> waits;
  SmallVector<SemaphorePost> posts;
  /// Whether an operand can be read only after the launches before.
  bool loadsNeedLaunches = false;
};

/// The values that all code of the kernel uses.
struct MixContext : KernelContext {
  const MixPlan &plan;
  /// The coordinates of the tile, i32.
  SmallVector<Value> tile;

  MixContext(DeviceBuilder &b, const MixPlan &plan)
      : KernelContext(b, plan), plan(plan) {
    Value block = NVVM::BlockIdXOp::create(b, b.getI32Type());
    tile = {b.divide(block, plan.grid[1]), b.remainder(block, plan.grid[1])};
  }
  /// Returns the first element of the tile along `dim`.
  Value getFirst(unsigned dim) const { return b.mul(tile[dim], kMixTile); }
  SmallVector<Value> getTile() const {
    return {b.toIndex(tile[0]), b.toIndex(tile[1])};
  }
};

} // namespace

//===----------------------------------------------------------------------===//
// The plan
//===----------------------------------------------------------------------===//

/// Adds a tensor map of `tensor`, an f16 matrix that is copied by 64 x 64
/// elements. Fails with a diagnostic if TMA cannot address it.
static FailureOr<unsigned> addMatrix(MixOp op, Value tensor,
                                     LaunchTensors &tensors,
                                     KernelParams &params) {
  FailureOr<BufferView> view = tensors.getView(tensor, op);
  if (failed(view))
    return failure();
  int64_t rowBytes = view->strides[0] * 2, offset = view->offset * 2;
  if (view->strides[1] != 1 || rowBytes % 16 != 0 || offset % 16 != 0)
    return emitTargetError(op)
           << "rows in memory must start at multiples of 16 bytes";
  return params.addTensorMap(view->buffer, offset,
                             {view->shape[1], view->shape[0]}, {rowBytes},
                             {kChunk, kMixTile}, launch::Swizzle::b128);
}

/// Places the rings and their barriers in shared memory.
static void layOutRings(MixPlan &plan) {
  plan.stages.size = kStages;
  plan.stages.bytes = 2 * kRowBlockBytes;
  plan.result.size = 1;
  plan.result.offset = kStages * plan.stages.bytes;
  plan.result.bytes = kRowBlockBytes;
  BarrierLayout barriers(plan.result.offset + plan.result.bytes);
  plan.stages.full = barriers.add(kStages, {{kLoader}});
  plan.stages.empty = barriers.add(kStages, {{plan.getConsumers()}});
  plan.result.full = barriers.add(1, {{plan.getConsumers()}});
  plan.sharedBytes = barriers.getEnd();
}

static FailureOr<MixPlan> planMix(MixOp op, launch::TilesOp launch,
                                  LaunchTensors &tensors) {
  auto kernel = cast<TileKernelOpInterface>(op.getOperation());
  MixPlan plan;
  plan.name = launch.getName().str();
  plan.grid = *kernel.getTileGrid();
  plan.steps = kernel.getStepCount();
  plan.warpgroups = 1;
  plan.registers = kernelabi::kRegisterShares[0];
  layOutRings(plan);

  SemaphoreLayout layout(launch);
  plan.programmatic = ProgrammaticLaunch::get(launch);
  plan.posts = llvm::to_vector(layout.getPosts(op));
  for (const SemaphoreWait &wait : layout.getWaits(op))
    plan.waits.push_back(wait.inBlocks());
  for (OpOperand &operand : op->getOpOperands())
    plan.loadsNeedLaunches |=
        plan.programmatic.loadsEarly && tensors.dependsOnTiles(operand.get()) &&
        !layout.isWaitedFor(op, operand.getOperandNumber());

  for (auto [map, tensor] : {std::pair(&plan.pixels, Value(op.getPixels())),
                             std::pair(&plan.weights, Value(op.getWeights())),
                             std::pair(&plan.mixed, Value(op.getMixed()))}) {
    FailureOr<unsigned> param = addMatrix(op, tensor, tensors, plan.params);
    if (failed(param))
      return failure();
    *map = *param;
  }
  if (!plan.waits.empty() || !plan.posts.empty())
    plan.addSyncState(launch);
  return plan;
}

//===----------------------------------------------------------------------===//
// Roles
//===----------------------------------------------------------------------===//

/// Emits the waits of K step `step`, before its loads.
static void emitWaits(const MixContext &context, Value step) {
  DeviceBuilder &b = context.b;
  for (const SemaphoreWait &wait : context.plan.waits)
    emitSemaphoreWaits(b, b.getLoc(), wait, context.getTile(), b.toIndex(step),
                       context.semaphores, tsync::Scope::device,
                       tsync::Proxy::async);
}

static void emitLoader(const MixContext &context) {
  DeviceBuilder &b = context.b;
  const MixPlan &plan = context.plan;
  if (plan.loadsNeedLaunches)
    emitLaunchWait(b, b.getLoc());
  plan.stages.emitLoop(
      b, b.i32(0), b.i32(plan.steps), RingPosition::first(b),
      [&](Value step, const RingPosition &here) {
        emitWaits(context, step);
        plan.stages.waitUntilEmpty(context, here);
        Value full = plan.stages.getFull(context, here.buffer);
        b.arriveExpecting(full, plan.stages.bytes);
        Value address = plan.stages.getAddress(context, here.buffer);
        Value channel = b.mul(step, kMixTile);
        emitTmaLoad(context, {plan.pixels, {channel, context.getFirst(0)}},
                    address, full);
        emitTmaLoad(context, {plan.weights, {channel, context.getFirst(1)}},
                    b.add(address, kRowBlockBytes), full);
      });
  emitTriggerBehindLoads(b, b.getLoc(), plan.programmatic);
}

/// Writes `sums`, the accumulators of 64 x 64 elements, to shared memory as
/// f16.
static void emitStage(const MixContext &context, Value sums) {
  DeviceBuilder &b = context.b;
  // Lane l addresses row l % 16 of the warp, in column group l / 16 of two.
  Value row = b.add(getWarpRow(context), b.bitAnd(context.lane, 15));
  Value part = b.shiftLeft(b.shiftRight(context.lane, 4), 4);
  Value place = b.add(b.mul(row, kRowBytes),
                      b.bitXor(part, getSwizzle(b, kRowBytes, row)));
  SmallVector<Value> elements = unpackAccumulators(b, sums);
  for (int64_t group = 0; group != kMixTile / 8; group += 2) {
    SmallVector<Value> pairs;
    for (int64_t i = 0; i != 2 * kQuad; i += 2)
      pairs.push_back(emitRoundedPair(
          b, ArrayRef(elements).slice(kQuad * group + i, 2), b.getF16Type()));
    Value address = b.add(context.plan.result.getAddress(context),
                          b.bitXor(place, group * 16));
    emitStoreMatrices(b, address, pairs, NVVM::MMALayout::row);
  }
}

static void emitConsumer(const MixContext &context) {
  DeviceBuilder &b = context.b;
  const MixPlan &plan = context.plan;
  Wgmma mma;
  MmaLayout rows = {/*isMNMajor=*/false, kRowBytes, kChunk};
  MmaShape shape = {kMixTile, b.getF16Type(), rows, rows};
  Value sums = mma.emitSums(b, shape);
  RingPosition first = RingPosition::first(b);
  auto loop = scf::ForOp::create(b, b.i32(0), b.i32(plan.steps), b.i32(1),
                                 ValueRange{first.buffer, first.parity, sums});
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    ValueRange carried = loop.getRegionIterArgs();
    RingPosition here = {carried[0], carried[1]};
    plan.stages.waitUntilFull(context, here);
    sums = mma.emitFence(b, carried[2]).front();
    Value address = plan.stages.getAddress(context, here.buffer);
    Value keeps = arith::MinUIOp::create(b, loop.getInductionVar(), b.i32(1));
    sums = mma.emit(b, shape, sums, mma.emitOperand(b, address, rows),
                    mma.emitOperand(b, b.add(address, kRowBlockBytes), rows),
                    keeps, /*count=*/kChunk / kMmaDepth);
    mma.emitGroup(b);
    sums = mma.emitFinish(b, sums, kMixTile, /*pending=*/0).front();
    plan.stages.emitRead(context, plan.getConsumers(), here.buffer);
    RingPosition next = plan.stages.advance(b, here);
    scf::YieldOp::create(b, ValueRange{next.buffer, next.parity, sums});
  }
  emitStage(context, loop.getResult(2));
  // The storer reads this thread's writes through the async proxy.
  emitSharedProxyFence(b);
  b.syncWarp();
  plan.result.emitFilled(context, plan.getConsumers());
}

static void emitStorer(const MixContext &context) {
  DeviceBuilder &b = context.b;
  const MixPlan &plan = context.plan;
  emitStorerWait(b, b.getLoc(), plan.programmatic);
  b.waitParity(plan.result.getFull(context), b.i32(0));
  emitTmaStore(context, plan.mixed, plan.result.getAddress(context),
               {context.getFirst(1), context.getFirst(0)});
  emitStoreGroup(b);
  // Other kernels may read the result only when it has been written.
  emitWaitUntilWritten(b);
  for (const SemaphorePost &post : plan.posts)
    emitSemaphorePost(b, b.getLoc(), post, context.getTile(),
                      context.semaphores, tsync::Scope::device,
                      tsync::Proxy::async);
  if (!plan.waits.empty())
    emitBlockFinished(b, context.getParam(*plan.syncStateParam));
  if (plan.programmatic.waitsAtEnd)
    emitLaunchWait(b, b.getLoc());
}

//===----------------------------------------------------------------------===//
// The kernel
//===----------------------------------------------------------------------===//

bool MixKernel::handles(launch::TilesOp launch) const {
  SmallVector<TileKernelOpInterface> kernels = launch.getKernels();
  return kernels.size() == 1 && isa<MixOp>(kernels.front());
}

FailureOr<LaunchCode> MixKernel::generate(launch::TilesOp launch,
                                          LaunchTensors &tensors,
                                          Operation *module,
                                          const TargetSpec &) const {
  auto op = cast<MixOp>(launch.getKernels().front().getOperation());
  FailureOr<MixPlan> plan = planMix(op, launch, tensors);
  if (failed(plan))
    return failure();
  DeviceBuilder b =
      beginKernel(cast<gpu::GPUModuleOp>(module), launch.getLoc(), *plan);
  MixContext context(b, *plan);
  emitKernelStart(context, *plan, {plan->stages, plan->result});
  emitWarpgroups(
      context, *plan,
      [&] {
        kLoader.emit(context, [&] { emitLoader(context); });
        kStorer.emit(context, [&] { emitStorer(context); });
      },
      [&] { emitConsumer(context); });

  LaunchCode code = plan->getLaunchCode(launch);
  code.grids = {{plan->grid[0] * plan->grid[1]}};
  return code;
}
