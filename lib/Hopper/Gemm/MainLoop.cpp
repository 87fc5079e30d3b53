//===- MainLoop.cpp - The K loop of a tile --------------------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "MainLoop.h"

#include "grout/Hopper/Gemm/OperandLoader.h"
#include "grout/Hopper/Kit/Accumulators.h"
#include "grout/Hopper/Kit/TmaCopies.h"

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
  int64_t rows = operand.isMNMajor ? operand.getChunk() : operand.extent;
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
                             const OperandPlan &operand, const TaskValues &task,
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
                                  const TaskValues &task, Value first,
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
                          const TaskValues &task, ValueRange tile, Value step,
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
                          const TaskValues &task, ValueRange tile) {
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
                          const TaskValues &task, ValueRange tile,
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
                                   const TaskValues &task,
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
    Value stageAddress = ring.getAddress(context, here.buffer);
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

/// When the loads of epilogue inputs that are whole matrices are issued, so
/// many steps of a tile remain. They are enough to hide the loads.
static constexpr int64_t kStepsBehindLoads = 16;

static MmaLayout getLayout(const OperandPlan &operand) {
  return {operand.isMNMajor, operand.rowBytes, operand.getChunk()};
}

namespace {

/// Steps of a tile that add to the same sums.
struct StepRange {
  Value first, end;
};

/// The position of a warpgroup in the ring of stages.
struct StepPosition {
  RingPosition next;
  /// The stage of the step before, which the warpgroup has not freed yet.
  Value lastStage;
};

/// Emits the MMAs of a warpgroup for one tile. Has sums, or accumulators, for
/// each 64-row block and each GEMM.
class StepEmitter {
public:
  StepEmitter(const GemmContext &context, const BodyPlan &body, Value warpgroup,
              RingPosition position);

  /// Emit the MMAs of `steps`, starting from zero. The returned accumulators
  /// are in registers. The second function loads the matrices of `early` before
  /// the last steps. In the third, every `body.sumSteps` steps have sums of
  /// their own, and their accumulators are added up in f32.
  SmallVector<Value> emitSteps(StepRange steps);
  SmallVector<Value> emitStepsWithLoads(StepRange steps, EarlyInputs &early);
  SmallVector<Value> emitSummedSteps(StepRange steps);

  /// Returns the stage of the last step so far.
  Value getLastStage() const { return position.lastStage; }

private:
  SmallVector<Value> emitZeroSums();
  /// Emits the MMAs of one step on `sums`.
  SmallVector<Value> emitStep(Value stageAddress, Value keepsFirst,
                              ValueRange sums);
  /// Emits the MMAs of `steps`. Returns the sums, to which the last MMAs may
  /// still be adding. Step `zeroStep` ignores the old sums; all others add to
  /// them.
  SmallVector<Value> emitOpenSteps(StepRange steps, Value zeroStep,
                                   ValueRange sums);
  SmallVector<Value> emitFinish(ValueRange sums) {
    return mma.emitFinish(b, sums, body.tiling.getMmaN(), /*pending=*/0);
  }
  /// Returns the values that a loop over steps carries; and sets the position
  /// from these values, and returns the others.
  SmallVector<Value> getCarried(ValueRange sums);
  ValueRange takePosition(ValueRange carried);

  const GemmContext &context;
  DeviceBuilder &b;
  const BodyPlan &body;
  const Mma &mma;
  Value warpgroup;
  /// Of each GEMM.
  SmallVector<MmaShape> shapes;
  StepPosition position;
};

} // namespace

StepEmitter::StepEmitter(const GemmContext &context, const BodyPlan &body,
                         Value warpgroup, RingPosition position)
    : context(context), b(context.b), body(body), mma(*body.mma),
      warpgroup(warpgroup), position({position, position.buffer}) {
  tgemm::ProductOpInterface op = body.op;
  for (unsigned product = 0; product != body.getNumProducts(); ++product)
    shapes.push_back({body.tiling.getMmaN(), op.getInputElementType(),
                      getLayout(body.getA(product)),
                      getLayout(body.getB(product))});
}

SmallVector<Value> StepEmitter::emitZeroSums() {
  SmallVector<Value> sums;
  for (int64_t block = 0; block != body.rowBlocks; ++block)
    for (const MmaShape &shape : shapes)
      sums.push_back(mma.emitSums(b, shape));
  return sums;
}

SmallVector<Value> StepEmitter::getCarried(ValueRange sums) {
  SmallVector<Value> carried = {position.next.buffer, position.next.parity,
                                position.lastStage};
  carried.append(sums.begin(), sums.end());
  return carried;
}

ValueRange StepEmitter::takePosition(ValueRange carried) {
  position = {{carried[0], carried[1]}, carried[2]};
  return carried.drop_front(3);
}

SmallVector<Value> StepEmitter::emitStep(Value stageAddress, Value keepsFirst,
                                         ValueRange sums) {
  unsigned numProducts = body.getNumProducts();
  Value rows =
      b.add(stageAddress, b.mul(warpgroup, body.rowBlocks * kRowBlockBytes));
  SmallVector<Value> operandsA, operandsB;
  for (auto [product, shape] : llvm::enumerate(shapes)) {
    operandsA.push_back(
        mma.emitOperand(b, b.add(rows, body.getA(product).offset), shape.a));
    operandsB.push_back(mma.emitOperand(
        b, b.add(stageAddress, body.getB(product).offset), shape.b));
  }

  int64_t count = body.mmaTraits.getChunk() / body.mmaTraits.depth;
  SmallVector<Value> results(sums);
  Value keeps = keepsFirst;
  for (int64_t chunk = 0; chunk != body.getChunksPerStep(); ++chunk) {
    for (int64_t block = 0; block != body.rowBlocks; ++block)
      for (unsigned product = 0; product != numProducts; ++product) {
        Value operandA = mma.emitMoved(
            b, operandsA[product],
            block * kRowBlockBytes + chunk * body.getA(product).chunkBytes);
        Value operandB = mma.emitMoved(b, operandsB[product],
                                       chunk * body.getB(product).chunkBytes);
        Value &sum = results[block * numProducts + product];
        sum =
            mma.emit(b, shapes[product], sum, operandA, operandB, keeps, count);
      }
    keeps = b.i32(1);
  }
  return results;
}

SmallVector<Value> StepEmitter::emitOpenSteps(StepRange steps, Value zeroStep,
                                              ValueRange sums) {
  const Ring &ring = context.kernel.stageRing;
  auto loop =
      scf::ForOp::create(b, steps.first, steps.end, b.i32(1), getCarried(sums));
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    Value step = loop.getInductionVar();
    ValueRange carried = takePosition(loop.getRegionIterArgs());
    RingPosition here = position.next;
    ring.waitUntilFull(context, here);

    SmallVector<Value> results = mma.emitFence(b, carried);
    results = emitStep(ring.getAddress(context, here.buffer),
                       /*keepsFirst=*/b.sub(step, zeroStep), results);
    mma.emitGroup(b);
    // The step before has finished by now; this step still runs.
    mma.emitWait(b, 1);
    // The first step has no stage before. If results are staged in the ring,
    // the stages of the last steps are kept.
    int64_t kept = std::max<int64_t>(context.kernel.stagedSteps, 1);
    Value frees = b.isBelow(b.add(step, -1), b.i32(body.blockSteps - kept));
    b.ifThen(frees, [&] { context.emitStageRelease(position.lastStage); });

    position = {ring.advance(b, here), here.buffer};
    scf::YieldOp::create(b, getCarried(results));
  }
  return llvm::to_vector_of<Value>(takePosition(loop.getResults()));
}

SmallVector<Value> StepEmitter::emitSteps(StepRange steps) {
  return emitFinish(emitOpenSteps(steps, steps.first, emitZeroSums()));
}

SmallVector<Value> StepEmitter::emitStepsWithLoads(StepRange steps,
                                                   EarlyInputs &early) {
  Value rest = arith::MinUIOp::create(b, b.sub(steps.end, steps.first),
                                      b.i32(kStepsBehindLoads));
  Value middle = b.sub(steps.end, rest);
  SmallVector<Value> sums =
      emitOpenSteps({steps.first, middle}, steps.first, emitZeroSums());
  early.readMatrices();
  return emitFinish(emitOpenSteps({middle, steps.end}, steps.first, sums));
}

SmallVector<Value> StepEmitter::emitSummedSteps(StepRange steps) {
  SmallVector<Value> zeros(body.rowBlocks * shapes.size(),
                           emitZeroAccumulators(b, body.tiling.getMmaN() / 2));
  Value stride = b.i32(*body.sumSteps);
  auto loop =
      scf::ForOp::create(b, steps.first, steps.end, stride, getCarried(zeros));
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(loop.getBody());
    Value first = loop.getInductionVar();
    ValueRange sums = takePosition(loop.getRegionIterArgs());
    Value end = arith::MinUIOp::create(b, b.add(first, stride), steps.end);
    SmallVector<Value> added;
    for (auto [sum, accumulators] :
         llvm::zip_equal(sums, emitSteps({first, end})))
      added.push_back(emitAddAccumulators(b, sum, accumulators));
    scf::YieldOp::create(b, getCarried(added));
  }
  return llvm::to_vector_of<Value>(takePosition(loop.getResults()));
}

TileProducts hopper::emitTileProducts(const GemmContext &context,
                                      const BodyPlan &body,
                                      const TaskValues &task, Value warpgroup,
                                      RingPosition position,
                                      EarlyInputs &early) {
  StepRange steps = {context.b.i32(0), context.getNumSteps(body, task)};
  StepEmitter emitter(context, body, warpgroup, position);
  TileProducts products;
  if (early.hasMatrices() && !body.sumSteps) {
    products.accumulators = emitter.emitStepsWithLoads(steps, early);
  } else {
    early.readMatrices();
    products.accumulators = body.sumSteps ? emitter.emitSummedSteps(steps)
                                          : emitter.emitSteps(steps);
  }
  products.lastStage = emitter.getLastStage();
  if (!context.kernel.isStagedInRing())
    context.emitStageRelease(products.lastStage);
  return products;
}

void hopper::emitIdleTile(const GemmContext &context, const BodyPlan &body,
                          const TaskValues &task, RingPosition position) {
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
