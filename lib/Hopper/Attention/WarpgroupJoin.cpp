//===- WarpgroupJoin.cpp - Joins results of a block's warpgroups ----------===//
//
// Part of Grout. The warpgroups of a block join their results in one exchange
// through shared memory. They complete the columns of the result by turns, two
// groups of 8 columns each, and each leaves its sums of other columns to the
// warpgroups that complete them. An accumulator with the same number, in
// threads with the same number, is the same row and column. So a thread reads
// the data in the layout in which they were left.
//
//===----------------------------------------------------------------------===//

#include "WarpgroupJoin.h"

#include "grout/Hopper/Attention/AttentionModel.h"
#include "grout/Hopper/Kit/Accumulators.h"

using namespace mlir;
using namespace grout;
using namespace grout::hopper;

/// Accumulators of a group of 8 columns, and the number of groups that are
/// stored at once.
static constexpr int64_t kVector = 4;
static constexpr int64_t kGroups = 2;

namespace {

/// Emits one join.
class WarpgroupJoinEmitter {
public:
  WarpgroupJoinEmitter(const AttentionContext &context, OnlineSoftmax &softmax,
                       const SoftmaxState &totals, Value sums)
      : b(context.b), sharers(context.plan.getSharers()), softmax(softmax),
        totals(totals), sums(sums),
        layout(WarpgroupJoinLayout::get(context.op())) {
    start = b.add(
        b.add(context.shared, context.plan.memory.statisticsOffset),
        b.mul(context.getThreadInGroup(), WarpgroupJoinLayout::kVectorBytes));
  }

  /// Leaves the data of warpgroup `share` that other warpgroups need.
  void emitLeave(int64_t share);
  /// Returns the elements of the result that warpgroup `share` completes; the
  /// others are null.
  SmallVector<Value> emitTake(int64_t share);

private:
  bool hasGroup(int64_t share, int64_t group) {
    return group / kGroups % sharers == share;
  }
  /// Returns where warpgroup `share` leaves vector `index` of the thread.
  Value getPointer(int64_t share, int64_t index) {
    return b.sharedPointer(b.add(start, share * layout.getWarpgroupBytes() +
                                            index * layout.getVectorBytes()));
  }
  SmallVector<Value> getSums(int64_t group) {
    SmallVector<Value> elements;
    for (int64_t e = 0; e != kVector; ++e)
      elements.push_back(emitAccumulator(b, sums, kVector * group + e));
    return elements;
  }
  SmallVector<Value> getStatistics() {
    return {totals.largest[0], totals.largest[1], totals.total[0],
            totals.total[1]};
  }
  void store(ArrayRef<Value> elements, int64_t share, int64_t index);
  SmallVector<Value> load(int64_t share, int64_t index);
  /// Returns the factors by which the sums of each warpgroup are multiplied,
  /// for both rows.
  std::array<SmallVector<Value>, 2> emitFactors(int64_t share);

  DeviceBuilder &b;
  int64_t sharers;
  OnlineSoftmax &softmax;
  const SoftmaxState &totals;
  Value sums;
  WarpgroupJoinLayout layout;
  /// The thread's place in the first vector of the first warpgroup.
  Value start;
};

} // namespace

void WarpgroupJoinEmitter::store(ArrayRef<Value> elements, int64_t share,
                                 int64_t index) {
  LLVM::StoreOp::create(b, b.createVector(elements), getPointer(share, index),
                        WarpgroupJoinLayout::kVectorBytes);
}

SmallVector<Value> WarpgroupJoinEmitter::load(int64_t share, int64_t index) {
  Value vector = LLVM::LoadOp::create(
      b, VectorType::get({kVector}, b.getF32Type()), getPointer(share, index),
      WarpgroupJoinLayout::kVectorBytes);
  SmallVector<Value> elements;
  for (int64_t e = 0; e != kVector; ++e)
    elements.push_back(LLVM::ExtractElementOp::create(b, vector, b.i32(e)));
  return elements;
}

void WarpgroupJoinEmitter::emitLeave(int64_t share) {
  store(getStatistics(), share, 0);
  for (int64_t group = 0; group != layout.groups; ++group)
    if (!hasGroup(share, group))
      store(getSums(group), share, 1 + group);
}

std::array<SmallVector<Value>, 2>
WarpgroupJoinEmitter::emitFactors(int64_t share) {
  SmallVector<Value> largest[2], total[2];
  for (int64_t other = 0; other != sharers; ++other) {
    SmallVector<Value> statistics =
        other == share ? getStatistics() : load(other, 0);
    for (int64_t half = 0; half != 2; ++half) {
      largest[half].push_back(statistics[half]);
      total[half].push_back(statistics[2 + half]);
    }
  }
  return {softmax.emitJoinFactors(largest[0], total[0]),
          softmax.emitJoinFactors(largest[1], total[1])};
}

SmallVector<Value> WarpgroupJoinEmitter::emitTake(int64_t share) {
  std::array<SmallVector<Value>, 2> factors = emitFactors(share);
  SmallVector<Value> elements(kVector * layout.groups);
  for (int64_t group = 0; group != layout.groups; ++group) {
    if (!hasGroup(share, group))
      continue;
    // Adds in the order of the warpgroups, which does not depend on the one
    // that adds.
    for (int64_t other = 0; other != sharers; ++other) {
      SmallVector<Value> part =
          other == share ? getSums(group) : load(other, 1 + group);
      for (int64_t e = 0; e != kVector; ++e) {
        Value &sum = elements[kVector * group + e];
        Value scaled = arith::MulFOp::create(b, part[e], factors[e / 2][other]);
        sum = sum ? arith::AddFOp::create(b, sum, scaled).getResult() : scaled;
      }
    }
  }
  return elements;
}

void hopper::emitWarpgroupJoin(const AttentionContext &context, Value share,
                               OnlineSoftmax &softmax,
                               const SoftmaxState &totals, Value sums,
                               function_ref<void(ArrayRef<Value>)> emit) {
  DeviceBuilder &b = context.b;
  WarpgroupJoinEmitter emitter(context, softmax, totals, sums);
  // Accumulators have no addresses, so each warpgroup has its own code.
  auto forEachShare = [&](function_ref<void(int64_t)> body) {
    for (int64_t number = 0; number != context.plan.getSharers(); ++number)
      b.ifThen(b.isEqual(share, number), [&] { body(number); });
  };
  forEachShare([&](int64_t number) { emitter.emitLeave(number); });
  // From here on, no warpgroup reads the queries, either.
  b.syncConsumers(context.plan.warpgroups);
  forEachShare([&](int64_t number) { emit(emitter.emitTake(number)); });
}
