//===- AttentionJoin.cpp - Joins what blocks of a cluster have ------------===//
//
// Part of Grout. Through distributed shared memory, in one exchange: every
// block sends its largest scores and sums of exponentials to all, and its sums
// of values, group by group of 8 elements, to the block that has the group;
// which then scales what has come, adds it up, and stores it. Only the consumer
// warpgroups take part, and only rows that there are.
//
//===----------------------------------------------------------------------===//

#include "AttentionJoin.h"

#include "AttentionRoles.h"
#include "grout/Conversion/Common/ProgrammaticLaunch.h"
#include "grout/Target/Hopper/AttentionModel.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace grout;
using namespace grout::hopper;

/// Elements that a thread adds up at a time.
static constexpr int64_t kVector = 4;
static constexpr int64_t kVectorBytes = kVector * sizeof(float);
/// Rows of accumulators that a warp has, and of which a thread has two.
static constexpr int64_t kWarpRows = 16;
static constexpr int64_t kHalfRows = 8;

namespace {

class JoinEmitter {
public:
  JoinEmitter(const AttentionContext &context, OnlineSoftmax &softmax,
              const WgmmaShape &shape)
      : context(context), b(context.b), plan(context.plan), softmax(softmax),
        shape(shape), layout(JoinLayout::get(context.op(), plan.tiling)) {
    warpRow = b.mul(b.bitAnd(context.warp, kWarpsPerWarpgroup - 1), kWarpRows);
    row = b.add(warpRow, b.shiftRight(context.lane, 2));
    column = b.mul(b.bitAnd(context.lane, 3), 2);
  }

  void emit(const SoftmaxState &totals, Value sums);

private:
  /// What block `rank` has sent of row `ofRow`: its largest score and sum, and
  /// its sums of values, of which bytes `bytes` and the next are meant.
  Value getStatisticsAddress(Value rank, Value ofRow) {
    return b.add(b.add(context.shared, plan.memory.statisticsOffset),
                 b.add(b.mul(rank, layout.getStatisticsBytes()),
                       b.mul(ofRow, JoinLayout::kStatisticsBytes)));
  }
  Value getPartAddress(Value rank, Value ofRow, Value bytes) {
    return b.add(b.add(context.shared, plan.memory.partsOffset),
                 b.add(b.add(b.mul(rank, layout.getPartBytes()),
                             b.mul(ofRow, layout.getRowBytes())),
                       bytes));
  }
  /// Sends what the thread has of row `half` of its two.
  void emitSend(const SoftmaxState &totals, Value sums, int64_t half);
  /// By what the sums of values of each block are multiplied in row `ofRow`.
  SmallVector<Value> emitFactors(Value ofRow);
  /// Adds up this block's share of the elements, and stores it.
  void emitAddShare();
  /// The same for elements `first` and the next of row `ofRow`, which are from
  /// byte `bytes` on in what has been sent of the row.
  void emitAddVector(Value ofRow, Value first, Value bytes);
  void storePair(Value x, Value y, Value pointer) {
    LLVM::StoreOp::create(b, b.createVector({x, y}), pointer,
                          2 * sizeof(float));
  }

  const AttentionContext &context;
  DeviceBuilder &b;
  const AttentionPlan &plan;
  OnlineSoftmax &softmax;
  WgmmaShape shape;
  JoinLayout layout;
  /// The first row of the warp, and the first row and column of the thread's
  /// accumulators.
  Value warpRow, row, column;
};

} // namespace

void JoinEmitter::emitSend(const SoftmaxState &totals, Value sums,
                           int64_t half) {
  Value ofRow = b.add(row, half * kHalfRows);
  Value statistics = getStatisticsAddress(context.blockRank, ofRow);
  Value part =
      getPartAddress(context.blockRank, ofRow, b.mul(column, sizeof(float)));
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

SmallVector<Value> JoinEmitter::emitFactors(Value ofRow) {
  SmallVector<Value> largest, total;
  for (int64_t rank = 0; rank != layout.splits; ++rank) {
    Value pair = LLVM::LoadOp::create(
        b, VectorType::get({2}, b.getF32Type()),
        b.sharedPointer(getStatisticsAddress(b.i32(rank), ofRow)),
        JoinLayout::kStatisticsBytes);
    largest.push_back(LLVM::ExtractElementOp::create(b, pair, b.i32(0)));
    total.push_back(LLVM::ExtractElementOp::create(b, pair, b.i32(1)));
  }
  return softmax.emitJoinFactors(largest, total);
}

void JoinEmitter::emitAddVector(Value ofRow, Value first, Value bytes) {
  auto wide = VectorType::get({kVector}, b.getF32Type());
  Value sum;
  for (auto [rank, factor] : llvm::enumerate(emitFactors(ofRow))) {
    Value part = LLVM::LoadOp::create(
        b, wide,
        b.sharedPointer(
            getPartAddress(b.i32(static_cast<int64_t>(rank)), ofRow, bytes)),
        kVectorBytes);
    Value scaled = arith::MulFOp::create(
        b, part, b.createVector(SmallVector<Value>(kVector, factor)));
    sum = sum ? arith::AddFOp::create(b, sum, scaled).getResult() : scaled;
  }
  StridedTensor result = *plan.result;
  Value rounded = arith::TruncFOp::create(
      b, VectorType::get({kVector}, result.elementType), sum);
  int64_t heads = plan.tiling.getHeads();
  Value coordinates[] = {
      context.batch, b.add(context.getFirstHead(), b.bitAnd(ofRow, heads - 1)),
      b.add(context.getFirstQuery(), b.shiftRight(ofRow, llvm::Log2_64(heads))),
      first};
  Value isThere = b.isBelow(coordinates[2], b.i32(context.op().getQueries()));
  b.ifThen(isThere, [&] {
    LLVM::StoreOp::create(b, rounded,
                          emitElementAddress(context, result, coordinates),
                          kVector * result.elementType.getWidth() / 8);
  });
}

void JoinEmitter::emitAddShare() {
  constexpr int64_t kGroupVectors = JoinLayout::kGroup / kVector;
  int64_t vectors = layout.getGroupsOfBlock() * kGroupVectors;
  Value thread = b.add(b.mul(warpRow, kWarpSize / kWarpRows), context.lane);
  auto loop = scf::ForOp::create(b, thread, b.i32(layout.rows * vectors),
                                 b.i32(kWarpgroupThreads));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Value index = loop.getInductionVar(), size = b.i32(vectors);
  Value vector = arith::RemUIOp::create(b, index, size);
  // Its groups are those with its number, modulo the number of blocks.
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
  // Others' memory is there when they have started.
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
  // What has been sent is there when all have arrived. Nothing is sent after
  // that, so blocks may end.
  NVVM::ClusterArriveOp::create(b, UnitAttr());
  NVVM::ClusterWaitOp::create(b, UnitAttr());
  // Nothing is written while a launch before might read it.
  if (plan.programmatic.loadsEarly)
    emitLaunchWait(b, b.getLoc());
  emitAddShare();
  // A block posts what all of its threads have stored.
  if (plan.usesSemaphores())
    b.syncWarpgroup(b.i32(0));
  Value thread = b.add(b.mul(warpRow, kWarpSize / kWarpRows), context.lane);
  b.ifThen(b.isEqual(thread, 0),
           [&] { emitAttentionEnd(context, tsync::Proxy::generic); });
}

void hopper::emitAttentionJoin(const AttentionContext &context,
                               OnlineSoftmax &softmax,
                               const SoftmaxState &totals, Value sums,
                               const WgmmaShape &shape) {
  JoinEmitter(context, softmax, shape).emit(totals, sums);
}
