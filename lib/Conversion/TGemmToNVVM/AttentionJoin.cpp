//===- AttentionJoin.cpp - Joins what blocks of a cluster have ------------===//
//
// Part of Grout. Through distributed shared memory, in two exchanges: every
// block reads the largest scores and sums of exponentials of all, scales its
// sums of values, and leaves them in its memory, where keys were; then each
// adds up a share of the elements of all blocks, and stores it. The consumer
// warpgroup of every block takes part, and nobody else.
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
/// Bytes of a row's largest score and sum.
static constexpr int64_t kStatisticsBytes = 2 * sizeof(float);

namespace {

class JoinEmitter {
public:
  JoinEmitter(const AttentionContext &context, OnlineSoftmax &softmax,
              const WgmmaShape &shape)
      : context(context), b(context.b), plan(context.plan), softmax(softmax),
        shape(shape), rowBytes(getJoinRowBytes(context.op())) {
    warpRow = b.mul(b.bitAnd(context.warp, kWarpsPerWarpgroup - 1), 16);
    row = b.add(warpRow, b.shiftRight(context.lane, 2));
    column = b.mul(b.bitAnd(context.lane, 3), 2);
  }

  void emit(const SoftmaxState &totals, Value sums);

private:
  /// Waits for all consumers of the cluster, and sees what they stored.
  void emitClusterBarrier();
  Value getStatisticsAddress(Value ofRow) {
    return b.add(b.add(context.shared, plan.statisticsOffset),
                 b.mul(ofRow, kStatisticsBytes));
  }
  Value getSumsAddress(Value ofRow, Value ofColumn) {
    return b.add(b.add(context.shared, plan.keyOffset),
                 b.add(b.mul(ofRow, rowBytes), b.mul(ofColumn, sizeof(float))));
  }
  void emitStoreStatistics(const SoftmaxState &totals);
  /// By what this block's sums in row `half` of the thread are multiplied.
  Value emitFactor(const SoftmaxState &totals, int64_t half);
  void emitStoreSums(Value sums, ArrayRef<Value> factors);
  /// Adds up this block's share of the elements, and stores it.
  void emitAddShare();
  /// The same for elements `first` and the next of row `ofRow`.
  void emitAddVector(Value ofRow, Value first);
  Value createPair(Value x, Value y);

  const AttentionContext &context;
  DeviceBuilder &b;
  const AttentionPlan &plan;
  OnlineSoftmax &softmax;
  WgmmaShape shape;
  int64_t rowBytes;
  /// The first row of the warp, and the first row and column of the thread's
  /// accumulators.
  Value warpRow, row, column;
};

} // namespace

void JoinEmitter::emitClusterBarrier() {
  NVVM::ClusterArriveOp::create(b, UnitAttr());
  NVVM::ClusterWaitOp::create(b, UnitAttr());
}

Value JoinEmitter::createPair(Value x, Value y) {
  Value pair = LLVM::UndefOp::create(b, VectorType::get({2}, b.getF32Type()));
  pair = LLVM::InsertElementOp::create(b, pair, x, b.i32(0));
  return LLVM::InsertElementOp::create(b, pair, y, b.i32(1));
}

void JoinEmitter::emitStoreStatistics(const SoftmaxState &totals) {
  b.ifThen(b.isEqual(column, 0), [&] {
    for (int64_t half = 0; half != 2; ++half)
      LLVM::StoreOp::create(
          b, createPair(totals.largest[half], totals.total[half]),
          b.sharedPointer(getStatisticsAddress(b.add(row, 8 * half))),
          kStatisticsBytes);
  });
}

Value JoinEmitter::emitFactor(const SoftmaxState &totals, int64_t half) {
  Value address = getStatisticsAddress(b.add(row, 8 * half));
  SmallVector<Value> largest, total;
  for (int64_t rank = 0; rank != plan.tiling.getSplits(); ++rank) {
    Value pair = LLVM::LoadOp::create(b, VectorType::get({2}, b.getF32Type()),
                                      b.remotePointer(address, b.i32(rank)),
                                      kStatisticsBytes);
    largest.push_back(LLVM::ExtractElementOp::create(b, pair, b.i32(0)));
    total.push_back(LLVM::ExtractElementOp::create(b, pair, b.i32(1)));
  }
  Value ofAll = largest.front();
  for (Value other : ArrayRef(largest).drop_front())
    ofAll = LLVM::MaxNumOp::create(b, ofAll, other);
  Value origin = softmax.emitOrigin(ofAll);
  Value sum;
  for (auto [score, part] : llvm::zip_equal(largest, total)) {
    Value scaled =
        arith::MulFOp::create(b, part, softmax.emitFactor(score, origin));
    sum = sum ? arith::AddFOp::create(b, sum, scaled).getResult() : scaled;
  }
  return softmax.emitQuotient(softmax.emitFactor(totals.largest[half], origin),
                              sum);
}

void JoinEmitter::emitStoreSums(Value sums, ArrayRef<Value> factors) {
  for (int64_t half = 0; half != 2; ++half) {
    Value address = getSumsAddress(b.add(row, 8 * half), column);
    for (int64_t group = 0; group != shape.columns / 8; ++group) {
      SmallVector<Value> scaled;
      for (int64_t e = 0; e != 2; ++e)
        scaled.push_back(arith::MulFOp::create(
            b, emitAccumulator(b, sums, 4 * group + 2 * half + e),
            factors[half]));
      LLVM::StoreOp::create(
          b, createPair(scaled[0], scaled[1]),
          b.sharedPointer(b.add(address, group * 8 * sizeof(float))),
          2 * sizeof(float));
    }
  }
}

void JoinEmitter::emitAddVector(Value ofRow, Value first) {
  auto wide = VectorType::get({kVector}, b.getF32Type());
  Value address = getSumsAddress(ofRow, first);
  Value sum;
  for (int64_t rank = 0; rank != plan.tiling.getSplits(); ++rank) {
    Value part = LLVM::LoadOp::create(
        b, wide, b.remotePointer(address, b.i32(rank)), kVectorBytes);
    sum = sum ? arith::AddFOp::create(b, sum, part).getResult() : part;
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
  // Rows beyond the last query have nothing.
  int64_t rows = std::min<int64_t>(kMmaRows, context.op().getQueries() *
                                                 plan.tiling.getHeads());
  int64_t vectors = context.op().getValueSize() / kVector;
  Value thread = b.add(b.mul(warpRow, kWarpSize / 16), context.lane);
  Value first = b.add(b.mul(context.blockRank, kWarpgroupThreads), thread);
  auto loop =
      scf::ForOp::create(b, first, b.i32(rows * vectors),
                         b.i32(kWarpgroupThreads * plan.tiling.getSplits()));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Value index = loop.getInductionVar(), size = b.i32(vectors);
  emitAddVector(arith::DivUIOp::create(b, index, size),
                b.mul(arith::RemUIOp::create(b, index, size), kVector));
}

void JoinEmitter::emit(const SoftmaxState &totals, Value sums) {
  emitStoreStatistics(totals);
  emitClusterBarrier();
  SmallVector<Value> factors = {emitFactor(totals, 0), emitFactor(totals, 1)};
  emitStoreSums(sums, factors);
  emitClusterBarrier();
  // Nothing is written while a launch before might read it.
  if (plan.programmatic.loadsEarly)
    emitLaunchWait(b, b.getLoc());
  emitAddShare();
  // No block may go while others read its memory.
  emitClusterBarrier();
  Value thread = b.add(b.mul(warpRow, kWarpSize / 16), context.lane);
  b.ifThen(b.isEqual(thread, 0),
           [&] { emitAttentionEnd(context, tsync::Proxy::generic); });
}

void hopper::emitAttentionJoin(const AttentionContext &context,
                               OnlineSoftmax &softmax,
                               const SoftmaxState &totals, Value sums,
                               const WgmmaShape &shape) {
  JoinEmitter(context, softmax, shape).emit(totals, sums);
}
