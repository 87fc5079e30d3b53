//===- AttentionJoin.cpp - Joins results of a cluster's blocks ------------===//
//
// Part of Grout. The blocks join their results in one exchange through
// distributed shared memory. Every warpgroup sends its largest scores and sums
// of exponentials to all blocks. It sends each group of 8 sums of values to the
// block that completes the group. That block scales the sums that it receives,
// adds them up, and stores the result. Only consumer warpgroups take part, and
// only for rows that have a query.
//
//===----------------------------------------------------------------------===//

#include "AttentionJoin.h"

#include "AttentionRoles.h"
#include "grout/Conversion/Common/ProgrammaticLaunch.h"
#include "grout/Hopper/Attention/AttentionModel.h"
#include "grout/Hopper/Kit/Accumulators.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace grout;
using namespace grout::hopper;

/// Elements that a thread adds up at a time.
static constexpr int64_t kVector = 4;
static constexpr int64_t kVectorBytes = kVector * sizeof(float);
namespace {

class JoinEmitter {
public:
  /// Emits the work of warpgroup `share` of the warpgroups that split the
  /// block's steps.
  JoinEmitter(const AttentionContext &context, Value share,
              OnlineSoftmax &softmax)
      : context(context), b(context.b), plan(context.plan), share(share),
        softmax(softmax), layout(JoinLayout::get(context.op(), plan.tiling)) {
    warpRow = getWarpRow(context);
    row = b.add(warpRow, getLaneRow(context));
    column = getLaneColumn(context);
    sender = b.add(b.mul(context.blockRank, layout.warpgroups), share);
  }

  void emit(const SoftmaxState &totals, Value sums);

private:
  /// Return the addresses of data that warpgroup `number`, counted over all
  /// blocks, has sent for row `ofRow`: its largest score and sum; and its sums
  /// of values, from byte `bytes` on.
  Value getStatisticsAddress(Value number, Value ofRow) {
    return b.add(b.add(context.shared, plan.memory.statisticsOffset),
                 b.add(b.mul(number, layout.getStatisticsBytes()),
                       b.mul(ofRow, JoinLayout::kStatisticsBytes)));
  }
  Value getPartAddress(Value number, Value ofRow, Value bytes) {
    return b.add(b.add(context.shared, plan.memory.partsOffset),
                 b.add(b.add(b.mul(number, layout.getPartBytes()),
                             b.mul(ofRow, layout.getRowBytes())),
                       bytes));
  }
  /// Sends the thread's data of row `half` of its two rows.
  void emitSend(const SoftmaxState &totals, Value sums, int64_t half);
  /// Returns the factors for row `ofRow` by which the sums of values of each
  /// sender are multiplied. If keys are in parts, the factors are relative to
  /// the largest score, which is returned, too.
  OnlineSoftmax::JoinedPart emitFactors(Value ofRow);
  /// Adds up the elements that this block completes, and stores them.
  void emitAddShare();
  /// Adds up and stores `kVector` elements of row `ofRow` from element `first`
  /// on. They are at byte `bytes` of the row in the received data.
  void emitAddVector(Value ofRow, Value first, Value bytes);
  /// Stores `vector` from element `first` of the result of `head` and `query`
  /// on.
  void emitStore(Value vector, Value head, Value query, Value first);
  /// Whether the result has a row for `head` and `query`.
  Value isStored(Value head, Value query);
  /// Returns the thread's number in the block's consumer warpgroups.
  Value getThread() {
    Value thread = b.add(b.mul(warpRow, kWarpSize / kWarpRows), context.lane);
    return b.add(thread, b.mul(share, kWarpgroupThreads));
  }
  void storePair(Value x, Value y, Value pointer) {
    LLVM::StoreOp::create(b, b.createVector({x, y}), pointer,
                          2 * sizeof(float));
  }

  const AttentionContext &context;
  DeviceBuilder &b;
  const AttentionPlan &plan;
  Value share;
  OnlineSoftmax &softmax;
  JoinLayout layout;
  /// The first row of the warp, and the first row and column of the thread's
  /// accumulators.
  Value warpRow, row, column;
  /// The warpgroup's number, counted over all blocks.
  Value sender;
};

} // namespace

void JoinEmitter::emitSend(const SoftmaxState &totals, Value sums,
                           int64_t half) {
  Value ofRow = b.add(row, half * kHalfRows);
  Value statistics = getStatisticsAddress(sender, ofRow);
  Value part = getPartAddress(sender, ofRow, b.mul(column, sizeof(float)));
  Value isFirst = b.isEqual(column, 0);
  for (int64_t rank = 0; rank != layout.splits; ++rank) {
    b.ifThen(isFirst, [&] {
      storePair(totals.largest[half], totals.total[half],
                b.remotePointer(statistics, b.i32(rank)));
    });
    Value base = b.remotePointer(part, b.i32(rank));
    for (int64_t group = rank; group < layout.groups; group += layout.splits) {
      Value pair[2];
      for (int64_t e = 0; e != 2; ++e)
        pair[e] = emitAccumulator(b, sums, 4 * group + 2 * half + e);
      int64_t bytes =
          group / layout.splits * JoinLayout::kGroup * int64_t(sizeof(float));
      storePair(pair[0], pair[1], b.offsetPointer(base, bytes));
    }
  }
}

OnlineSoftmax::JoinedPart JoinEmitter::emitFactors(Value ofRow) {
  SmallVector<Value> largest, total;
  for (int64_t number = 0; number != layout.getSenders(); ++number) {
    Value pair = LLVM::LoadOp::create(
        b, VectorType::get({2}, b.getF32Type()),
        b.sharedPointer(getStatisticsAddress(b.i32(number), ofRow)),
        JoinLayout::kStatisticsBytes);
    largest.push_back(LLVM::ExtractElementOp::create(b, pair, b.i32(0)));
    total.push_back(LLVM::ExtractElementOp::create(b, pair, b.i32(1)));
  }
  if (context.op().getPartKeys())
    return softmax.emitPartFactors(largest, total);
  return {softmax.emitJoinFactors(largest, total), Value(), Value()};
}

Value JoinEmitter::isStored(Value head, Value query) {
  Value isThere = b.isBelow(query, b.i32(context.op().getQueries()));
  if (!plan.hasFewerHeads())
    return isThere;
  return arith::AndIOp::create(b, isThere,
                               b.isBelow(head, b.i32(context.op().getHeads())));
}

void JoinEmitter::emitAddVector(Value ofRow, Value first, Value bytes) {
  auto wide = VectorType::get({kVector}, b.getF32Type());
  OnlineSoftmax::JoinedPart joined = emitFactors(ofRow);
  Value sum;
  for (auto [number, factor] : llvm::enumerate(joined.factors)) {
    Value part = LLVM::LoadOp::create(
        b, wide,
        b.sharedPointer(
            getPartAddress(b.i32(static_cast<int64_t>(number)), ofRow, bytes)),
        kVectorBytes);
    Value scaled = arith::MulFOp::create(
        b, part, b.createVector(SmallVector<Value>(kVector, factor)));
    sum = sum ? arith::AddFOp::create(b, sum, scaled).getResult() : scaled;
  }
  if (!plan.result->elementType.isF32())
    sum = arith::TruncFOp::create(
        b, VectorType::get({kVector}, plan.result->elementType), sum);
  Value head = context.getHead(ofRow), query = context.getQuery(ofRow);
  b.ifThen(isStored(head, query), [&] {
    emitStore(sum, head, query, first);
    if (context.op().getPartKeys())
      b.ifThen(b.isEqual(first, 0), [&] {
        Value zero = arith::ConstantOp::create(b, b.getF32FloatAttr(0));
        emitStore(b.createVector({softmax.emitScore(joined.largest),
                                  joined.total, zero, zero}),
                  head, query, b.i32(context.op().getValueSize()));
      });
  });
}

void JoinEmitter::emitStore(Value vector, Value head, Value query,
                            Value first) {
  StridedTensor result = *plan.result;
  Value coordinates[] = {context.resultBatch, head, query, first};
  LLVM::StoreOp::create(b, vector,
                        emitElementAddress(context, result, coordinates),
                        kVector * result.elementType.getWidth() / 8);
}

void JoinEmitter::emitAddShare() {
  constexpr int64_t kGroupVectors = JoinLayout::kGroup / kVector;
  int64_t vectors = layout.getGroupsOfBlock() * kGroupVectors;
  auto loop = scf::ForOp::create(b, getThread(), b.i32(layout.rows * vectors),
                                 b.i32(layout.warpgroups * kWarpgroupThreads));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Value index = loop.getInductionVar(), size = b.i32(vectors);
  Value vector = arith::RemUIOp::create(b, index, size);
  // A block completes the groups whose number is its own number, modulo the
  // number of blocks.
  Value group = b.add(
      b.mul(b.shiftRight(vector, llvm::Log2_64(kGroupVectors)), layout.splits),
      context.blockRank);
  Value first = b.add(b.mul(group, JoinLayout::kGroup),
                      b.mul(b.bitAnd(vector, kGroupVectors - 1), kVector));
  b.ifThen(b.isBelow(group, b.i32(layout.groups)), [&] {
    emitAddVector(arith::DivUIOp::create(b, index, size), first,
                  b.mul(vector, kVectorBytes));
  });
}

void JoinEmitter::emit(const SoftmaxState &totals, Value sums) {
  // The other blocks' memory is accessible once they have started.
  b.waitForCluster();
  b.ifThen(b.isBelow(warpRow, b.i32(layout.rows)), [&] {
    for (int64_t half = 0; half != 2; ++half) {
      if (half * kHalfRows >= layout.rows)
        continue;
      Value isThere =
          b.isBelow(b.add(row, half * kHalfRows), b.i32(layout.rows));
      b.ifThen(isThere, [&] { emitSend(totals, sums, half); });
    }
  });
  // All data have come when all threads have arrived. Blocks send nothing after
  // that, so they may end.
  NVVM::ClusterArriveOp::create(b, UnitAttr());
  NVVM::ClusterWaitOp::create(b, UnitAttr());
  // No thread writes while a launch before might read the memory.
  if (plan.programmatic.loadsEarly)
    emitLaunchWait(b, b.getLoc());
  emitAddShare();
  // The post covers the stores of all threads of the block.
  if (plan.usesSemaphores())
    b.syncConsumers(plan.warpgroups);
  b.ifThen(b.isEqual(getThread(), 0),
           [&] { emitAttentionEnd(context, tsync::Proxy::generic); });
}

void hopper::emitAttentionJoin(const AttentionContext &context, Value share,
                               OnlineSoftmax &softmax,
                               const SoftmaxState &totals, Value sums) {
  JoinEmitter(context, share, softmax).emit(totals, sums);
}
