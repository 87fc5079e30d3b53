//===- AttentionResult.cpp - From sums to the result ----------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "AttentionResult.h"

#include "AttentionJoin.h"
#include "WarpgroupJoin.h"
#include "grout/Hopper/Kit/Accumulators.h"
#include "grout/Hopper/Kit/KernelFunction.h"
#include "grout/Hopper/Kit/Staging.h"

using namespace mlir;
using namespace grout;
using namespace grout::hopper;

/// Writes those of `elements` that are not null to the shared memory of rows
/// `rowGroup`. `elements` is the result in the order of accumulators. The rows
/// are swizzled as the TMA store expects.
static void emitStage(const AttentionContext &context, Value rowGroup,
                      ArrayRef<Value> elements) {
  DeviceBuilder &b = context.b;
  FloatType type = context.op().getResultElementType();
  // Lane l addresses row l % 16 of the warp, in column group l / 16 of two.
  Value row = b.add(getWarpRow(context), b.bitAnd(context.lane, 15));
  Value part = b.shiftLeft(b.shiftRight(context.lane, 4), 4);
  Value swizzle = getSwizzle(b, kRowBytes, row);
  Value place = b.add(b.mul(row, kRowBytes), b.bitXor(part, swizzle));
  int64_t groups = static_cast<int64_t>(elements.size()) / 4;
  for (int64_t group = 0; group < groups; group += 2) {
    if (!elements[4 * group])
      continue;
    ArrayRef<Value> ofTwo =
        elements.slice(4 * group, 4 * std::min<int64_t>(2, groups - group));
    SmallVector<Value> pairs;
    for (size_t i = 0; i != ofTwo.size(); i += 2)
      pairs.push_back(emitRoundedPair(b, ofTwo.slice(i, 2), type));
    int64_t chunkGroups = kChunk / 8;
    Value address = b.add(context.getRowsAddress(rowGroup, group / chunkGroups),
                          b.bitXor(place, group % chunkGroups * 16));
    emitStoreMatrices(b, address, pairs, NVVM::MMALayout::row);
  }
}

/// Divides `sums`, accumulators, by the totals of their rows.
static SmallVector<Value> emitQuotients(const AttentionContext &context,
                                        OnlineSoftmax &softmax,
                                        const SoftmaxState &totals,
                                        Value sums) {
  DeviceBuilder &b = context.b;
  Value one = arith::ConstantOp::create(b, b.getF32FloatAttr(1));
  SmallVector<Value> factors, elements;
  for (Value total : totals.total)
    factors.push_back(softmax.emitQuotient(one, total));
  for (int64_t i = 0, e = getNumAccumulators(sums); i != e; ++i)
    elements.push_back(arith::MulFOp::create(b, emitAccumulator(b, sums, i),
                                             factors[i / 2 % 2]));
  return elements;
}

void hopper::emitAttentionResult(const AttentionContext &context,
                                 Value rowGroup, Value share,
                                 OnlineSoftmax &softmax,
                                 const SoftmaxState &state, Value sums) {
  DeviceBuilder &b = context.b;
  SoftmaxState totals = softmax.emitTotals(state);
  if (context.plan.isSplit())
    return emitAttentionJoin(context, share, softmax, totals, sums);
  if (context.plan.getSharers() != 1)
    emitWarpgroupJoin(
        context, share, softmax, totals, sums,
        [&](ArrayRef<Value> own) { emitStage(context, rowGroup, own); });
  else
    emitStage(context, rowGroup, emitQuotients(context, softmax, totals, sums));
  // The storer reads this thread's writes through the async proxy.
  emitSharedProxyFence(b);
  b.syncWarp();
  context.plan.resultRing.emitFilled(context, context.plan.getConsumers());
}
