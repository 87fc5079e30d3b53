//===- AttentionLoop.cpp - Consumer warpgroups of attention ---------------===//
//
// Part of Grout. The GEMM of queries and keys of a step (the *products*) runs
// at the same time as the GEMM of weights and values of the step before. The
// softmax of the step runs beside that second GEMM (FlashAttention-3, Shah et
// al., 2024):
//
//   products of step 0; its softmax
//   for each further step:
//     wait for the turn
//     start its products; start sums of the values of the step before
//     give the turn to the next warpgroup with rows of its own
//     wait for the products; softmax
//     wait for the sums; scale them; round the weights
//   sums of the values of the last step
//
// The weights are rounded only when no MMAs are in flight. If registers of MMAs
// were in use otherwise, ptxas would serialise the MMAs.
//
//===----------------------------------------------------------------------===//

#include "AttentionLoop.h"

#include "AttentionResult.h"
#include "OnlineSoftmax.h"
#include "grout/Hopper/Kit/Accumulators.h"
#include "grout/Hopper/Kit/Staging.h"
#include "grout/Hopper/Kit/Wgmma.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace grout;
using namespace grout::hopper;

/// Elements of a row of weights in one register of an MMA's A.
static constexpr int64_t kPair = 2;

namespace {

/// The values that the loop over steps carries.
struct LoopState {
  /// The places of the keys of the next step, and of the values of this step.
  RingPosition keys, values;
  SoftmaxState softmax;
  /// Sums of values, without the values of this step.
  Value sums;
  /// The weights of this step, in pairs of elements.
  SmallVector<Value> weights;

  SmallVector<Value> pack() const;
  static LoopState unpack(ValueRange values);
};

class ConsumerEmitter {
public:
  /// Emits the work on the rows with number `rowGroup`, as number `share` of
  /// the warpgroups that split their steps.
  ConsumerEmitter(const AttentionContext &context, Value rowGroup, Value share)
      : context(context), b(context.b), plan(context.plan), rowGroup(rowGroup),
        share(share), softmax(context, rowGroup) {
    FloatType type = context.op().getInputElementType();
    MmaLayout rows = {/*isMNMajor=*/false, kRowBytes, kChunk};
    MmaLayout columns = {/*isMNMajor=*/true, kRowBytes, plan.tiling.getN()};
    scoreShape = {plan.tiling.getN(), type, rows, rows};
    sumShape = {context.op().getValueSize(), type, rows, columns};
  }

  void emit();

private:
  LoopState emitFirstStep(Value step);
  /// Emits the steps of this warpgroup in [first, end). `first` is the first of
  /// them.
  LoopState emitSteps(Value first, Value end, bool isMasked, LoopState state);
  LoopState emitStep(Value step, bool isMasked, LoopState state);
  void emitLastSums(LoopState &state);

  /// Starts the products of the queries and the keys at `position`.
  Value emitProducts(Value accumulators, const RingPosition &position);
  /// Starts to add `weights` times the values at `position` to `sums`.
  Value emitSums(Value sums, ValueRange weights, const RingPosition &position);
  /// Frees the stage at `position`, for a whole warp.
  void release(const Ring &ring, const RingPosition &position) {
    ring.emitRead(context, plan.getStageReaders(), position.buffer);
  }
  /// Rounds `weights`, which are f32, and packs them in pairs. Null weights
  /// become 0.
  SmallVector<Value> emitRound(ArrayRef<Value> weights);
  Value emitScale(Value sums, ArrayRef<Value> factors);

  /// Returns the warpgroup that has the next turn.
  Value getNextRowGroup() {
    Value next = b.add(rowGroup, 1);
    Value isLast = b.isEqual(rowGroup, plan.rowGroups - 1);
    return arith::SelectOp::create(b, isLast, b.i32(0), next);
  }
  /// Returns the first step in which a row does not have all keys.
  Value getFirstMasked();
  /// Returns the first step of this warpgroup after its steps in [first, end);
  /// `first` if it has none there. `first` is one of this warpgroup's steps.
  Value getStepBehind(Value first, Value end);
  /// Returns the position of this warpgroup's next step.
  RingPosition advance(const RingPosition &position) {
    return plan.keyRing.advance(b, position, plan.getSharers());
  }

  const AttentionContext &context;
  DeviceBuilder &b;
  const AttentionPlan &plan;
  Value rowGroup, share;
  OnlineSoftmax softmax;
  Wgmma mma;
  MmaShape scoreShape, sumShape;
};

} // namespace

//===----------------------------------------------------------------------===//
// State
//===----------------------------------------------------------------------===//

SmallVector<Value> LoopState::pack() const {
  SmallVector<Value> values = {keys.buffer, keys.parity, this->values.buffer,
                               this->values.parity};
  llvm::append_range(values, softmax.pack());
  values.push_back(sums);
  llvm::append_range(values, weights);
  return values;
}

LoopState LoopState::unpack(ValueRange values) {
  return {{values[0], values[1]},
          {values[2], values[3]},
          SoftmaxState::unpack(values.slice(4, 4)),
          values[8],
          llvm::to_vector_of<Value>(values.drop_front(9))};
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

Value ConsumerEmitter::emitProducts(Value accumulators,
                                    const RingPosition &position) {
  plan.keyRing.waitUntilFull(context, position);
  Value result = mma.emitFence(b, accumulators).front();
  Value stage = plan.keyRing.getAddress(context, position.buffer);
  Value rows =
      mma.emitOperand(b, context.getRowsAddress(rowGroup, 0), scoreShape.a);
  Value keys = mma.emitOperand(b, stage, scoreShape.b);
  int64_t left = context.op().getKeySize();
  for (int64_t chunk = 0; chunk != plan.memory.keyChunks;
       ++chunk, left -= kChunk) {
    int64_t count = llvm::divideCeil(std::min(left, kChunk), kMmaDepth);
    result = mma.emit(b, scoreShape, result,
                      mma.emitMoved(b, rows, chunk * plan.getQueryChunkBytes()),
                      mma.emitMoved(b, keys, chunk * plan.getStepChunkBytes()),
                      b.i32(chunk != 0), count);
  }
  mma.emitGroup(b);
  return result;
}

Value ConsumerEmitter::emitSums(Value sums, ValueRange weights,
                                const RingPosition &position) {
  plan.valueRing.waitUntilFull(context, position);
  Value result = mma.emitFence(b, sums).front();
  Value values = mma.emitOperand(
      b, plan.valueRing.getAddress(context, position.buffer), sumShape.b);
  // One assembly call has the instructions of one chunk of keys.
  int64_t words = kChunk / kPair / 2;
  for (int64_t first = 0; first < static_cast<int64_t>(weights.size());
       first += words) {
    int64_t count = std::min<int64_t>(words, weights.size() - first);
    int64_t bytes = first * kPair * 2 / kMmaDepth * kMmaDepth * kRowBytes;
    result =
        mma.emitFromRegisters(b, sumShape, result, weights.slice(first, count),
                              mma.emitMoved(b, values, bytes));
  }
  mma.emitGroup(b);
  return result;
}

SmallVector<Value> ConsumerEmitter::emitRound(ArrayRef<Value> weights) {
  SmallVector<Value> pairs;
  for (size_t i = 0; i != weights.size(); i += 2)
    pairs.push_back(weights[i] ? emitRoundedPair(b, weights.slice(i, 2),
                                                 scoreShape.inputType)
                               : b.i32(0));
  return pairs;
}

Value ConsumerEmitter::emitScale(Value sums, ArrayRef<Value> factors) {
  SmallVector<Value> scaled;
  for (int64_t i = 0; i != sumShape.columns / 2; ++i) {
    Value sum = emitAccumulator(b, sums, i), factor = factors[i / 2 % 2];
    scaled.push_back(factor ? arith::MulFOp::create(b, sum, factor) : sum);
  }
  return packAccumulators(b, scaled);
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

Value ConsumerEmitter::getFirstMasked() {
  // The last step may have fewer keys.
  int64_t n = plan.tiling.getN();
  Value first = b.i32(context.op().getKeys() / n);
  std::optional<int64_t> causal = context.op().getCausal();
  if (!causal)
    return first;
  // The first query has the fewest keys.
  Value keys = b.add(context.getFirstQuery(), *causal + 1);
  keys = arith::MaxSIOp::create(b, keys, b.i32(0));
  Value ofQuery = arith::DivUIOp::create(b, keys, b.i32(n));
  return arith::MinUIOp::create(b, first, ofQuery);
}

Value ConsumerEmitter::getStepBehind(Value first, Value end) {
  int64_t sharers = plan.getSharers();
  if (sharers == 1)
    return end;
  Value steps = b.sub(arith::MaxUIOp::create(b, first, end), first);
  Value own =
      arith::DivUIOp::create(b, b.add(steps, sharers - 1), b.i32(sharers));
  return b.add(first, b.mul(own, sharers));
}

LoopState ConsumerEmitter::emitFirstStep(Value number) {
  // Each warpgroup that splits the steps has equally many stages.
  RingPosition first = RingPosition::first(b);
  first.buffer = b.add(first.buffer, share);
  LoopState state = {
      first, first, softmax.getInitialState(), mma.emitSums(b, sumShape), {}};
  Value products = emitProducts(mma.emitSums(b, scoreShape), state.keys);
  products =
      mma.emitFinish(b, products, scoreShape.columns, /*pending=*/0).front();
  release(plan.keyRing, state.keys);
  OnlineSoftmax::Step step =
      softmax.emitStep(products, number, /*isMasked=*/true, state.softmax);
  state.softmax = step.state;
  state.weights = emitRound(step.weights);
  state.keys = advance(state.keys);
  return state;
}

LoopState ConsumerEmitter::emitStep(Value step, bool isMasked,
                                    LoopState state) {
  if (plan.takesTurns())
    b.waitForTurn(rowGroup);
  Value products = emitProducts(mma.emitSums(b, scoreShape), state.keys);
  Value sums = emitSums(state.sums, state.weights, state.values);
  if (plan.takesTurns())
    b.passTurn(getNextRowGroup());
  products =
      mma.emitFinish(b, products, scoreShape.columns, /*pending=*/1).front();
  release(plan.keyRing, state.keys);
  OnlineSoftmax::Step weighted =
      softmax.emitStep(products, step, isMasked, state.softmax);

  // The weights of rows with queries must pass through the wait.
  SmallVector<Value *> weights;
  for (Value &weight : weighted.weights)
    if (weight)
      weights.push_back(&weight);
  Value packed = packAccumulators(
      b, llvm::map_to_vector(weights,
                             [](Value *weight) -> Value { return *weight; }));
  SmallVector<Value> ready =
      mma.emitFinish(b, {sums, packed}, sumShape.columns, /*pending=*/0);
  release(plan.valueRing, state.values);
  for (auto [i, weight] : llvm::enumerate(weights))
    *weight = emitAccumulator(b, ready[1], static_cast<int64_t>(i));
  return {advance(state.keys), advance(state.values), weighted.state,
          emitScale(ready[0], weighted.factors), emitRound(weighted.weights)};
}

LoopState ConsumerEmitter::emitSteps(Value first, Value end, bool isMasked,
                                     LoopState state) {
  auto loop =
      scf::ForOp::create(b, first, end, b.i32(plan.getSharers()), state.pack());
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  LoopState next = emitStep(loop.getInductionVar(), isMasked,
                            LoopState::unpack(loop.getRegionIterArgs()));
  scf::YieldOp::create(b, next.pack());
  return LoopState::unpack(loop.getResults());
}

void ConsumerEmitter::emitLastSums(LoopState &state) {
  Value sums = emitSums(state.sums, state.weights, state.values);
  state.sums = mma.emitFinish(b, sums, sumShape.columns, /*pending=*/0).front();
}

void ConsumerEmitter::emit() {
  // The first turn is that of warpgroup 0.
  if (plan.takesTurns())
    b.ifThen(b.isEqual(rowGroup, plan.rowGroups - 1),
             [&] { b.passTurn(b.i32(0)); });
  b.waitParity(plan.queryRing.getFull(context), b.i32(0));
  Value first = b.add(context.firstStep, share);
  LoopState state = emitFirstStep(first);
  Value second = b.add(first, plan.getSharers());
  Value masked = arith::MaxUIOp::create(b, second, getFirstMasked());
  masked = arith::MinUIOp::create(b, masked, context.endStep);
  state = emitSteps(second, masked, /*isMasked=*/false, state);
  bool hasMask = context.op().getCausal() ||
                 context.op().getKeys() % plan.tiling.getN() != 0 ||
                 plan.isSplit();
  if (hasMask)
    state = emitSteps(getStepBehind(second, masked), context.endStep,
                      /*isMasked=*/true, state);
  emitLastSums(state);
  emitAttentionResult(context, rowGroup, share, softmax, state.softmax,
                      state.sums);
}

void hopper::emitAttentionConsumer(const AttentionContext &context) {
  DeviceBuilder &b = context.b;
  Value warpgroup = context.getWarpgroup();
  bool isShared = context.plan.getSharers() != 1;
  Value zero = b.i32(0);
  ConsumerEmitter(context, /*rowGroup=*/isShared ? zero : warpgroup,
                  /*share=*/isShared ? warpgroup : zero)
      .emit();
}
