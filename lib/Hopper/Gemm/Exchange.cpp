//===- Exchange.cpp - Sums over the blocks of a cluster -------------------===//
//
// Part of Grout. Thread t of a warpgroup exchanges sums with the threads t of
// the same warpgroup in the other blocks, because they hold the same elements.
// Partial sums lie in the receiver's shared memory as [sender][four
// accumulators][thread], so that neighbouring threads access neighbouring 16
// bytes.
//
//===----------------------------------------------------------------------===//

#include "Exchange.h"

#include "grout/Hopper/Kit/Accumulators.h"

using namespace mlir;
using namespace grout;
using namespace grout::hopper;

namespace {

/// The exchange of one tile, in one thread.
class Exchange {
public:
  Exchange(const GemmContext &context, const BodyPlan &body, Value warpgroup,
           const TileProducts &products);

  /// Sends block `receiver` its part of the sums.
  void send(int64_t receiver);
  /// Returns this block's part, summed over all blocks.
  SmallVector<Value> receive();

private:
  /// Returns accumulators `index` to `index` + 3 of those that a thread has for
  /// part `part`.
  SmallVector<Value> getQuad(int64_t part, int64_t index);
  /// Returns the place, in a block's shared memory, of the sums from its
  /// `sender`th other block.
  Value getPlace(Value sender);
  /// Returns the values of `ofPart(part)` for this block's own part.
  SmallVector<Value>
  selectOwn(function_ref<SmallVector<Value>(int64_t part)> ofPart);

  const GemmContext &context;
  DeviceBuilder &b;
  Value warpgroup;
  const TileProducts &products;
  int64_t splits;
  /// The accumulators of a thread for one part: of one GEMM and one 64-row
  /// block, and of all of them.
  int64_t count, total;
  /// The number of the part that this block completes.
  Value share;
  Value thread;
};

} // namespace

Exchange::Exchange(const GemmContext &context, const BodyPlan &body,
                   Value warpgroup, const TileProducts &products)
    : context(context), b(context.b), warpgroup(warpgroup), products(products),
      splits(body.tiling.getSplitK()), count(body.tiling.getResultMmaN() / 2),
      total(body.getNumResultAccumulators()),
      share(context.getStepShare(body)) {
  thread = context.getThreadInGroup();
}

SmallVector<Value> Exchange::getQuad(int64_t part, int64_t index) {
  SmallVector<Value> quad;
  for (int64_t i = index; i != index + kQuad; ++i)
    quad.push_back(emitAccumulator(b, products.accumulators[i / count],
                                   part * count + i % count));
  return quad;
}

Value Exchange::getPlace(Value sender) {
  Value place = b.add(
      context.kernel.exchangeRing.getAddress(context, /*buffer=*/{}, warpgroup),
      b.mul(sender, total / kQuad * kQuadRowBytes));
  return b.add(place, b.mul(thread, kQuadBytes));
}

void Exchange::send(int64_t receiver) {
  // The receiver counts its senders without itself. So this block's number
  // there is one less, if it is above the receiver's number.
  Value isAbove = b.isBelow(b.i32(receiver), share);
  Value above = arith::ExtUIOp::create(b, b.getI32Type(), isAbove);
  Value rank = b.add(b.sub(context.blockRank, share), receiver);
  Value place = b.remotePointer(getPlace(b.sub(share, above)), rank);
  Value barrier = b.remotePointer(
      context.kernel.exchangeRing.getFull(context, /*buffer=*/{}, warpgroup),
      rank);
  for (int64_t index = 0; index != total; index += kQuad)
    b.storeRemote(b.offsetPointer(place, index / kQuad * kQuadRowBytes),
                  getQuad(receiver, index), barrier);
}

SmallVector<Value>
Exchange::selectOwn(function_ref<SmallVector<Value>(int64_t part)> ofPart) {
  SmallVector<Value> own = ofPart(0);
  for (int64_t part = 1; part != splits; ++part) {
    Value isOwn = b.isEqual(share, part);
    for (auto [value, other] : llvm::zip_equal(own, ofPart(part)))
      value = arith::SelectOp::create(b, isOwn, other, value);
  }
  return own;
}

SmallVector<Value> Exchange::receive() {
  auto quadType = VectorType::get({kQuad}, b.getF32Type());
  SmallVector<Value> sums;
  for (int64_t index = 0; index != total; index += kQuad) {
    SmallVector<Value> quad =
        selectOwn([&](int64_t part) { return getQuad(part, index); });
    for (int64_t sender = 0; sender != splits - 1; ++sender) {
      Value place =
          b.add(getPlace(b.i32(sender)), index / kQuad * kQuadRowBytes);
      Value received =
          LLVM::LoadOp::create(b, quadType, b.sharedPointer(place), kQuadBytes);
      for (auto [i, sum] : llvm::enumerate(quad))
        sum = arith::AddFOp::create(
            b, sum, LLVM::ExtractElementOp::create(b, received, b.i32(i)));
    }
    sums.append(quad);
  }
  // Packs structs again, one for each GEMM and 64-row block.
  SmallVector<Value> structs;
  for (int64_t first = 0; first != total; first += count)
    structs.push_back(packAccumulators(b, ArrayRef(sums).slice(first, count)));
  return structs;
}

RingPosition hopper::emitExchange(const GemmContext &context,
                                  const BodyPlan &body, Value warpgroup,
                                  TileProducts &products,
                                  RingPosition position) {
  DeviceBuilder &b = context.b;
  int64_t splits = body.tiling.getSplitK();
  if (splits == 1)
    return position;
  Value full =
      context.kernel.exchangeRing.getFull(context, /*buffer=*/{}, warpgroup);
  Value share = context.getStepShare(body);
  Value isFirstWarp = b.isEqual(context.getWarpInGroup(), 0);
  Value isFirstLane = b.isEqual(context.lane, 0);
  b.ifThen(arith::AndIOp::create(b, isFirstWarp, isFirstLane),
           [&] { b.arriveExpecting(full, body.getExchangeBytes()); });

  // The other blocks have read the sums of the round before.
  b.waitParity(
      context.kernel.exchangeRing.getEmpty(context, /*buffer=*/{}, warpgroup),
      position.getWriterParity(b));
  Exchange exchange(context, body, warpgroup, products);
  for (int64_t receiver = 0; receiver != splits; ++receiver)
    b.ifThen(arith::CmpIOp::create(b, arith::CmpIPredicate::ne, share,
                                   b.i32(receiver)),
             [&] { exchange.send(receiver); });

  b.waitParity(full, position.getReaderParity(), NVVM::MemScopeKind::CLUSTER);
  products.accumulators = exchange.receive();

  // Lane l arrives at block l of the blocks that split the K loop.
  b.syncWarp();
  Value isOther =
      arith::CmpIOp::create(b, arith::CmpIPredicate::ne, context.lane, share);
  Value isSharer = b.isBelow(context.lane, b.i32(splits));
  b.ifThen(arith::AndIOp::create(b, isSharer, isOther), [&] {
    Value rank = b.add(b.sub(context.blockRank, share), context.lane);
    b.arriveRemote(b.remotePointer(
        context.kernel.exchangeRing.getEmpty(context, /*buffer=*/{}, warpgroup),
        rank));
  });
  return context.kernel.exchangeRing.advance(b, position);
}

void hopper::emitExchangeEnd(const GemmContext &context, Value warpgroup,
                             RingPosition position) {
  context.b.waitParity(
      context.kernel.exchangeRing.getEmpty(context, /*buffer=*/{}, warpgroup),
      position.getWriterParity(context.b));
}
