//===- AttentionResult.cpp - From sums to the result ----------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "AttentionResult.h"

#include "AttentionJoin.h"
#include "KernelFunction.h"

using namespace mlir;
using namespace grout;
using namespace grout::hopper;

/// The elements of rows r and r + 8 in columns 8 `group` and the next of the
/// thread, times `factors`, in pairs.
static SmallVector<Value> emitPairs(DeviceBuilder &b, Value sums, int64_t group,
                                    ArrayRef<Value> factors, FloatType type) {
  SmallVector<Value> pairs;
  for (int64_t half = 0; half != 2; ++half) {
    Value pair = LLVM::UndefOp::create(b, VectorType::get({2}, b.getF32Type()));
    for (int64_t e = 0; e != 2; ++e) {
      Value sum = emitAccumulator(b, sums, 4 * group + 2 * half + e);
      pair = LLVM::InsertElementOp::create(
          b, pair, arith::MulFOp::create(b, sum, factors[half]), b.i32(e));
    }
    pair = arith::TruncFOp::create(b, VectorType::get({2}, type), pair);
    pairs.push_back(LLVM::BitcastOp::create(b, b.getI32Type(), pair));
  }
  return pairs;
}

/// Writes the warpgroup's rows to shared memory, swizzled as TMA undoes it.
static void emitStage(const AttentionContext &context, Value warpgroup,
                      Value sums, const WgmmaShape &shape,
                      ArrayRef<Value> factors) {
  DeviceBuilder &b = context.b;
  // Lane l addresses row l % 16 of the warp, in the column group l / 16 of two.
  Value row = b.add(b.mul(b.bitAnd(context.warp, kWarpsPerWarpgroup - 1), 16),
                    b.bitAnd(context.lane, 15));
  Value part = b.shiftLeft(b.shiftRight(context.lane, 4), 4);
  Value swizzle = b.shiftLeft(b.bitAnd(row, 7), 4);
  Value place = b.add(b.mul(row, kRowBytes), b.bitXor(part, swizzle));
  int64_t groups = shape.columns / 8;
  for (int64_t group = 0; group < groups; group += 2) {
    SmallVector<Value> pairs;
    for (int64_t next = group; next != std::min(group + 2, groups); ++next)
      llvm::append_range(pairs, emitPairs(b, sums, next, factors,
                                          context.op().getResultElementType()));
    int64_t chunkGroups = kChunk / 8;
    Value address =
        b.add(context.getRowsAddress(warpgroup, group / chunkGroups),
              b.bitXor(place, group % chunkGroups * 16));
    NVVM::StMatrixOp::create(
        b, b.sharedPointer(address), pairs,
        NVVM::MMALayoutAttr::get(b.getContext(), NVVM::MMALayout::row),
        NVVM::LdStMatrixShapeAttr::get(b.getContext(), 8, 8),
        NVVM::LdStMatrixEltTypeAttr::get(b.getContext(),
                                         NVVM::LdStMatrixEltType::B16));
  }
}

void hopper::emitAttentionResult(const AttentionContext &context,
                                 Value warpgroup, OnlineSoftmax &softmax,
                                 const SoftmaxState &state, Value sums,
                                 const WgmmaShape &shape) {
  DeviceBuilder &b = context.b;
  SoftmaxState totals = softmax.emitTotals(state);
  if (context.plan.isSplit())
    return emitAttentionJoin(context, softmax, totals, sums, shape);
  Value one = arith::ConstantOp::create(b, b.getF32FloatAttr(1));
  SmallVector<Value> factors;
  for (Value total : totals.total)
    factors.push_back(softmax.emitQuotient(one, total));
  emitStage(context, warpgroup, sums, shape, factors);
  // The storer reads through the async proxy what this thread wrote.
  emitSharedProxyFence(b);
  b.syncWarp();
  b.ifThen(b.isEqual(context.lane, 0),
           [&] { b.arrive(context.getResultFullBarrier()); });
}
