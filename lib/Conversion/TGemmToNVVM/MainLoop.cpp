//===- MainLoop.cpp - The K loop of a tile --------------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "MainLoop.h"

#include "TmaCopies.h"
#include "Wgmma.h"
#include "grout/Conversion/TGemmToNVVM/OperandLoader.h"

using namespace mlir;
using namespace grout;
using namespace grout::hopper;

/// The L2 cache policy of data that is read once: these lines are evicted
/// first. The value is the result of `createpolicy.fractional.L2::evict_first`.
static constexpr int64_t kEvictFirst = 0x12F0000000000000;

//===----------------------------------------------------------------------===//
// Loads
//===----------------------------------------------------------------------===//

/// Returns this block's number among the blocks that share `operand`.
static Value getShare(const GemmContext &context, const BodyPlan &body,
                      const OperandPlan &operand) {
  return body.isLhs(operand) ? context.getColumnShare(body)
                             : context.getRowShare(body);
}

/// Returns a mask with a bit for each block of the cluster that needs the data
/// which this block copies of `operand`; null if only this block needs it.
static Value getMulticastMask(const GemmContext &context, const BodyPlan &body,
                              const OperandPlan &operand) {
  DeviceBuilder &b = context.b;
  if (operand.sharers == 1)
    return Value();
  // The numbers of blocks that share lhs differ in the bits of the columns. The
  // numbers of blocks that share an rhs differ in the bits of the rows.
  int64_t stride = body.tiling.getSplitK();
  if (body.isLhs(operand))
    stride *= body.tiling.getClusterM();
  int64_t bits = 0;
  for (int64_t sharer = 0; sharer != operand.sharers; ++sharer)
    bits |= int64_t(1) << (sharer * stride);
  Value first =
      b.sub(context.blockRank, b.mul(getShare(context, body, operand), stride));
  Value mask = arith::ShLIOp::create(b, b.i32(bits), first);
  return arith::TruncIOp::create(b, b.getI16Type(), mask);
}

/// Returns the first row of shared memory that this block copies of `operand`.
/// If several blocks need the same rows, each of them copies an equal part of
/// the rows to all of them.
static Value getFirstSharedRow(const GemmContext &context, const BodyPlan &body,
                               const OperandPlan &operand) {
  int64_t rows = operand.isMNMajor ? kChunk : operand.extent;
  return context.b.mul(getShare(context, body, operand),
                       rows / operand.sharers);
}

/// Returns the cache policy of `operand`; null for the default policy.
static Value getCacheHint(const GemmContext &context,
                          const OperandPlan &operand) {
  if (!operand.isReadOnce)
    return Value();
  DeviceBuilder &b = context.b;
  return arith::ConstantIntOp::create(b, b.getI64Type(), kEvictFirst);
}

/// Emits the TMA loads of `operand` for the step `step`.
static void emitOperandLoads(const GemmContext &context, const BodyPlan &body,
                             const OperandPlan &operand, const TileTask &task,
                             Value first, Value step, Value stageAddress,
                             Value fullBarrier) {
  DeviceBuilder &b = context.b;
  Value mask = getMulticastMask(context, body, operand);
  Value firstShared = getFirstSharedRow(context, body, operand);
  stageAddress = b.add(stageAddress, b.mul(firstShared, operand.rowBytes));
  Value hint = getCacheHint(context, operand);
  for (const OperandCopy &copy : body.operandLoader->getCopies(
           context, body, operand, {task, first, firstShared, step}))
    emitTmaLoad(context,
                {operand.param, copy.coordinates, copy.im2colOffsets, hint},
                b.add(stageAddress, copy.offset), fullBarrier, mask);
}

/// Prefetches into L2 the data that this block will copy of `operand` for
/// `step`.
static void emitOperandPrefetches(const GemmContext &context,
                                  const BodyPlan &body,
                                  const OperandPlan &operand,
                                  const TileTask &task, Value first,
                                  Value step) {
  Value firstShared = getFirstSharedRow(context, body, operand);
  Value hint = getCacheHint(context, operand);
  for (const OperandCopy &copy : body.operandLoader->getCopies(
           context, body, operand, {task, first, firstShared, step}))
    emitTmaPrefetch(
        context, {operand.param, copy.coordinates, copy.im2colOffsets, hint});
}

/// Emits the waits that operands need before the loads of `step`.
static void emitStepWaits(const GemmContext &context, const BodyPlan &body,
                          const TileTask &task, ValueRange tile, Value step,
                          Value isFirst) {
  DeviceBuilder &b = context.b;
  // A step beyond the last reads nothing. Its number may stand for a later
  // tile, and it is not proved that waiting for that tile is safe.
  if (!body.parts && body.blockSteps * body.tiling.getSplitK() != body.steps)
    step = arith::MinUIOp::create(b, step, b.i32(body.steps - 1));
  for (const SemaphoreWait &wait : body.waits) {
    if (wait.afterSteps || !wait.dependsOnStep)
      continue;
    Value index = b.toIndex(step);
    Value changed = arith::OrIOp::create(
        b, isFirst, emitBoxChanged(b, b.getLoc(), wait, tile, index));
    b.ifThen(changed, [&] {
      emitSemaphoreWaits(b, b.getLoc(), wait, tile, index, context.semaphores,
                         tsync::Scope::device, tsync::Proxy::async,
                         task.getWords());
    });
  }
}

/// Emits the waits that are the same for all steps.
static void emitTileWaits(const GemmContext &context, const BodyPlan &body,
                          const TileTask &task, ValueRange tile) {
  DeviceBuilder &b = context.b;
  for (const SemaphoreWait &wait : body.waits) {
    if (wait.afterSteps || wait.dependsOnStep)
      continue;
    Value firstStep = arith::ConstantIndexOp::create(b, 0);
    emitSemaphoreWaits(b, b.getLoc(), wait, tile, firstStep, context.semaphores,
                       tsync::Scope::device, tsync::Proxy::async,
                       task.getWords());
  }
}

/// Emits the waits of the steps that other tasks run as parts of this tile, so
/// that the tile makes all waits of its policy.
static void emitPartWaits(const GemmContext &context, const BodyPlan &body,
                          const TileTask &task, ValueRange tile,
                          Value firstStep) {
  if (!body.hasTilesInParts() ||
      llvm::none_of(body.waits, [](const SemaphoreWait &wait) {
        return !wait.afterSteps && wait.dependsOnStep;
      }))
    return;
  DeviceBuilder &b = context.b;
  auto loop = scf::ForOp::create(b, b.i32(0), firstStep, b.i32(1));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Value step = loop.getInductionVar();
  emitStepWaits(context, body, task, tile, step,
                /*isFirst=*/b.isEqual(step, 0));
}

RingPosition hopper::emitTileLoads(const GemmContext &context,
                                   const BodyPlan &body, Loader loader,
                                   const TileTask &task,
                                   RingPosition position) {
  DeviceBuilder &b = context.b;
  Value firstRow = context.getFirstRow(body, task);
  Value firstColumn = context.getFirstColumn(body, task);
  SmallVector<Value> tile = task.getTile(b, body.grid.size());
  if (loader == Loader::waiting)
    emitTileWaits(context, body, task, tile);

  // In split-K, steps of the last block that are beyond the K loop load zeros.
  Value firstStep = context.getFirstStep(body, task);
  if (loader == Loader::waiting)
    emitPartWaits(context, body, task, tile, firstStep);
  auto forEachOperand =
      [&](function_ref<void(const OperandPlan &, Value first)> emit) {
        for (const OperandPlan &operand : body.operands)
          if (operand.loader == loader)
            emit(operand, body.isLhs(operand) ? firstRow : firstColumn);
      };
  const Ring &ring = context.kernel.stageRing;
  auto emitStep = [&](Value number, const RingPosition &here) {
    Value step = b.add(firstStep, number);
    // In partial sums, each part counts its steps from 0.
    if (loader == Loader::waiting)
      emitStepWaits(context, body, task, tile,
                    body.arePartialSums ? number : step,
                    /*isFirst=*/b.isEqual(number, 0));
    ring.waitUntilEmpty(context, here);
    Value fullBarrier = ring.getFull(context, here.buffer);
    int64_t bytes = body.getStepBytes(loader);
    if (bytes)
      b.arriveExpecting(fullBarrier, bytes);
    else
      b.arrive(fullBarrier);
    Value stageAddress = context.getStageAddress(here.buffer);
    forEachOperand([&](const OperandPlan &operand, Value first) {
      emitOperandLoads(context, body, operand, task, first, step, stageAddress,
                       fullBarrier);
    });
    if (loader != Loader::independent || !body.prefetches)
      return;
    // Prefetches half as many steps ahead as there are stages, while the stages
    // are filled for the first time.
    int64_t ahead = ring.size / 2;
    Value later = b.add(number, ahead);
    Value end = arith::MinUIOp::create(b, context.getNumSteps(body, task),
                                       b.i32(ring.size + ahead));
    b.ifThen(b.isBelow(later, end), [&] {
      forEachOperand([&](const OperandPlan &operand, Value first) {
        emitOperandPrefetches(context, body, operand, task, first,
                              b.add(step, ahead));
      });
    });
  };
  return ring.emitLoop(b, b.i32(0), context.getNumSteps(body, task), position,
                       emitStep);
}

void hopper::emitLoadsEnd(const GemmContext &context, RingPosition position) {
  const Ring &ring = context.kernel.stageRing;
  for (int64_t stage = 0; stage != ring.size; ++stage) {
    ring.waitUntilEmpty(context, position);
    position = ring.advance(context.b, position);
  }
}

//===----------------------------------------------------------------------===//
// MMAs
//===----------------------------------------------------------------------===//

static WgmmaLayout getLayout(const OperandPlan &operand) {
  return {operand.isMNMajor, operand.rowBytes};
}

/// Emits the MMAs of one step on `accumulators`.
static SmallVector<Value> emitStepProducts(const GemmContext &context,
                                           const BodyPlan &body,
                                           ArrayRef<WgmmaShape> shapes,
                                           Value warpgroup, Value stageAddress,
                                           Value keepsFirst,
                                           ValueRange accumulators) {
  DeviceBuilder &b = context.b;
  unsigned numProducts = body.getNumProducts();

  Value rows =
      b.add(stageAddress, b.mul(warpgroup, body.rowBlocks * kRowBlockBytes));
  SmallVector<Value> aDescriptors, bDescriptors;
  for (auto [product, shape] : llvm::enumerate(shapes)) {
    aDescriptors.push_back(
        emitDescriptor(b, b.add(rows, body.getA(product).offset), shape.a));
    bDescriptors.push_back(emitDescriptor(
        b, b.add(stageAddress, body.getB(product).offset), shape.b));
  }

  SmallVector<Value> results(accumulators);
  Value keeps = keepsFirst;
  for (int64_t chunk = 0; chunk != body.getChunksPerStep(); ++chunk) {
    // The offset of the operand, in the descriptor's unit of 16 bytes.
    auto move = [&](Value descriptor, const OperandPlan &operand,
                    int64_t bytes) {
      return b.add(descriptor, (bytes + chunk * operand.chunkBytes) / 16);
    };
    for (int64_t block = 0; block != body.rowBlocks; ++block)
      for (unsigned product = 0; product != numProducts; ++product) {
        Value &accumulator = results[block * numProducts + product];
        accumulator = emitWgmma(
            b, shapes[product], accumulator,
            move(aDescriptors[product], body.getA(product),
                 block * kRowBlockBytes),
            move(bDescriptors[product], body.getB(product), 0), keeps);
      }
    keeps = b.i32(1);
  }
  return results;
}

/// When the loads of epilogue inputs that are whole matrices are issued, so
/// many steps of a tile remain. They are enough to hide the loads.
static constexpr int64_t kStepsBehindLoads = 16;

namespace {

/// Steps of a tile that add to the same accumulators.
struct StepRange {
  Value first, end;
};

/// The position of a warpgroup in the ring of stages.
struct StepPosition {
  RingPosition next;
  /// The stage of the step before, which the warpgroup has not freed yet.
  Value lastStage;
};

} // namespace

static SmallVector<Value> emitZeros(const GemmContext &context,
                                    const BodyPlan &body,
                                    ArrayRef<WgmmaShape> shapes) {
  SmallVector<Value> zeros;
  for (int64_t block = 0; block != body.rowBlocks; ++block)
    for (const WgmmaShape &shape : shapes)
      zeros.push_back(emitZeroAccumulators(context.b, shape.columns / 2));
  return zeros;
}

/// Returns the values that a loop over steps carries.
static SmallVector<Value> getCarried(const StepPosition &position,
                                     ValueRange accumulators) {
  SmallVector<Value> carried = {position.next.buffer, position.next.parity,
                                position.lastStage};
  carried.append(accumulators.begin(), accumulators.end());
  return carried;
}

/// Returns the position and the accumulators from these values.
static std::pair<StepPosition, ValueRange> unpackStep(ValueRange carried) {
  return {{{carried[0], carried[1]}, carried[2]}, carried.drop_front(3)};
}

/// Emits the MMAs of `steps`. Returns the accumulators, to which the last MMAs
/// may still be adding. Step `zeroStep` ignores the old accumulators; all
/// others add to them.
static SmallVector<Value>
emitOpenSteps(const GemmContext &context, const BodyPlan &body,
              ArrayRef<WgmmaShape> shapes, Value warpgroup, StepRange steps,
              Value zeroStep, ValueRange accumulators, StepPosition &position) {
  DeviceBuilder &b = context.b;
  SmallVector<Value> inits = getCarried(position, accumulators);
  auto loop = scf::ForOp::create(b, steps.first, steps.end, b.i32(1), inits);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    Value step = loop.getInductionVar();
    auto [before, carried] = unpackStep(loop.getRegionIterArgs());
    RingPosition here = before.next;
    Value previousStage = before.lastStage;
    context.kernel.stageRing.waitUntilFull(context, here);

    SmallVector<Value> sums = emitWgmmaFence(b, carried);
    sums = emitStepProducts(context, body, shapes, warpgroup,
                            context.getStageAddress(here.buffer),
                            /*keepsFirst=*/b.sub(step, zeroStep), sums);
    emitWgmmaCommit(b);
    // The step before has finished by now; this step still runs.
    emitWgmmaWait(b, 1);
    // The first step has no stage before. If results are staged in the ring,
    // the stages of the last steps are kept.
    int64_t kept = std::max<int64_t>(context.kernel.stagedSteps, 1);
    Value frees = b.isBelow(b.add(step, -1), b.i32(body.blockSteps - kept));
    b.ifThen(frees, [&] { context.emitStageRelease(previousStage); });

    RingPosition next = context.kernel.stageRing.advance(b, here);
    SmallVector<Value> yielded = {next.buffer, next.parity, here.buffer};
    yielded.append(sums);
    scf::YieldOp::create(b, yielded);
  }
  auto [after, results] = unpackStep(loop.getResults());
  position = after;
  return llvm::to_vector_of<Value>(results);
}

/// Emits the MMAs of `steps`, starting from zero. The returned accumulators may
/// be read.
static SmallVector<Value> emitSteps(const GemmContext &context,
                                    const BodyPlan &body,
                                    ArrayRef<WgmmaShape> shapes,
                                    Value warpgroup, StepRange steps,
                                    StepPosition &position) {
  SmallVector<Value> accumulators =
      emitOpenSteps(context, body, shapes, warpgroup, steps, steps.first,
                    emitZeros(context, body, shapes), position);
  return emitWgmmaFinish(context.b, accumulators);
}

/// Does the same, and loads the matrices of `early` before the last steps.
static SmallVector<Value> emitStepsWithLoads(const GemmContext &context,
                                             const BodyPlan &body,
                                             ArrayRef<WgmmaShape> shapes,
                                             Value warpgroup, StepRange steps,
                                             StepPosition &position,
                                             EarlyInputs &early) {
  DeviceBuilder &b = context.b;
  Value rest = arith::MinUIOp::create(b, b.sub(steps.end, steps.first),
                                      b.i32(kStepsBehindLoads));
  Value middle = b.sub(steps.end, rest);
  SmallVector<Value> accumulators =
      emitOpenSteps(context, body, shapes, warpgroup, {steps.first, middle},
                    steps.first, emitZeros(context, body, shapes), position);
  early.readMatrices();
  accumulators =
      emitOpenSteps(context, body, shapes, warpgroup, {middle, steps.end},
                    steps.first, accumulators, position);
  return emitWgmmaFinish(b, accumulators);
}

/// Emits the MMAs of `steps`. Every `body.sumSteps` steps have accumulators of
/// their own. Returns the f32 sums of all of these.
static SmallVector<Value> emitSummedSteps(const GemmContext &context,
                                          const BodyPlan &body,
                                          ArrayRef<WgmmaShape> shapes,
                                          Value warpgroup, StepRange steps,
                                          StepPosition &position) {
  DeviceBuilder &b = context.b;
  SmallVector<Value> inits =
      getCarried(position, emitZeros(context, body, shapes));
  Value stride = b.i32(*body.sumSteps);
  auto loop = scf::ForOp::create(b, steps.first, steps.end, stride, inits);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    Value first = loop.getInductionVar();
    auto [here, allSums] = unpackStep(loop.getRegionIterArgs());
    Value end = arith::MinUIOp::create(b, b.add(first, stride), steps.end);
    SmallVector<Value> accumulators =
        emitSteps(context, body, shapes, warpgroup, {first, end}, here);
    SmallVector<Value> yielded = {here.next.buffer, here.next.parity,
                                  here.lastStage};
    for (auto [sums, accumulator] : llvm::zip_equal(allSums, accumulators))
      yielded.push_back(emitAddAccumulators(b, sums, accumulator));
    scf::YieldOp::create(b, yielded);
  }
  auto [after, sums] = unpackStep(loop.getResults());
  position = after;
  return llvm::to_vector_of<Value>(sums);
}

TileProducts hopper::emitTileProducts(const GemmContext &context,
                                      const BodyPlan &body,
                                      const TileTask &task, Value warpgroup,
                                      RingPosition position,
                                      EarlyInputs &early) {
  DeviceBuilder &b = context.b;
  SmallVector<WgmmaShape> shapes;
  tgemm::ProductOpInterface op = body.op;
  for (unsigned product = 0; product != body.getNumProducts(); ++product)
    shapes.push_back({body.tiling.getMmaN(), op.getInputElementType(),
                      getLayout(body.getA(product)),
                      getLayout(body.getB(product))});

  StepRange steps = {b.i32(0), context.getNumSteps(body, task)};
  StepPosition end = {position, position.buffer};
  TileProducts products;
  if (early.hasMatrices() && !body.sumSteps) {
    products.accumulators =
        emitStepsWithLoads(context, body, shapes, warpgroup, steps, end, early);
  } else {
    early.readMatrices();
    products.accumulators = (body.sumSteps ? emitSummedSteps : emitSteps)(
        context, body, shapes, warpgroup, steps, end);
  }
  products.lastStage = end.lastStage;
  if (!context.kernel.isStagedInRing())
    context.emitStageRelease(products.lastStage);
  return products;
}

void hopper::emitIdleTile(const GemmContext &context, const BodyPlan &body,
                          const TileTask &task, RingPosition position) {
  DeviceBuilder &b = context.b;
  const Ring &ring = context.kernel.stageRing;
  ring.emitLoop(b, b.i32(0), context.getNumSteps(body, task), position,
                [&](Value, const RingPosition &here) {
                  ring.waitUntilFull(context, here);
                  // All threads of the warp must have waited before the stage
                  // is filled again.
                  b.syncWarp();
                  context.emitStageRelease(here.buffer);
                });
}
