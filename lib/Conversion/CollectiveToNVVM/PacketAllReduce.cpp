//===- PacketAllReduce.cpp - All-reduces in packets -----------------------===//
//
// Part of Grout. A packet is a word of 64 bits: 32 bits of data, and above them
// the number of the run, which is the epoch plus one. Packets are stored and
// loaded by relaxed accesses at system scope. As an access of 64 bits is one
// access, a reader that sees the number of this run sees the data, too. So no
// access needs an order.
//
// The first packets of all vectors follow one another, then the second packets,
// and so on. So the threads of a warp store and load adjacent words.
//
//===----------------------------------------------------------------------===//

#include "AllReduceEmitter.h"

#include "grout/Conversion/Common/SyncState.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace grout;

static constexpr int64_t kPacketBytes = 8;
/// Packets of the 16 bytes that a thread loads at once.
static constexpr int64_t kPacketsPerVector = 4;

PacketAllReduce::Packets PacketAllReduce::getPlace(Value of, Value set) {
  return {arith::AddIOp::create(b, set, emitPlace(of)),
          plan.blocks * plan.getGiven() / plan.vector};
}

/// The address of packet `number` of the vector that starts at `element`.
Value PacketAllReduce::emitPacket(Value pointer, const Packets &packets,
                                  int64_t number, Value element) {
  Value vector = arith::DivUIOp::create(b, element, emitI64(plan.vector));
  Value byte = arith::AddIOp::create(
      b, packets.begin,
      arith::MulIOp::create(
          b,
          arith::AddIOp::create(b, vector, emitI64(number * packets.vectors)),
          emitI64(kPacketBytes)));
  return LLVM::GEPOp::create(b, pointer.getType(), b.getI8Type(), pointer,
                             ValueRange{byte});
}

/// Stores `value`, the vector that starts at `element`.
void PacketAllReduce::emitSend(Value value, Value pointer,
                               const Packets &packets, Value element) {
  auto words = VectorType::get(kPacketsPerVector, b.getI32Type());
  Value data = LLVM::BitcastOp::create(b, words, value);
  Value run = arith::AddIOp::create(b, epoch, emitI32(1));
  Value high = arith::ShLIOp::create(b, emitWide(run), emitI64(32));
  for (int64_t number = 0; number != kPacketsPerVector; ++number) {
    Value word = LLVM::ExtractElementOp::create(b, data, emitI32(number));
    LLVM::StoreOp::create(
        b, arith::OrIOp::create(b, high, emitWide(word)).getResult(),
        emitPacket(pointer, packets, number, element), kPacketBytes,
        /*isVolatile=*/false, /*isNonTemporal=*/false,
        /*isInvariantGroup=*/false, LLVM::AtomicOrdering::monotonic);
  }
}

/// Waits until this rank has a vector in each of `packets`: the one that starts
/// at the element of `elements` with the same number. Returns the vectors.
SmallVector<Value> PacketAllReduce::emitReceive(ArrayRef<Packets> packets,
                                                ArrayRef<Value> elements) {
  SmallVector<Value> addresses;
  for (auto [from, element] : llvm::zip_equal(packets, elements))
    for (int64_t number = 0; number != kPacketsPerVector; ++number)
      addresses.push_back(emitPacket(own, from, number, element));
  Value run = arith::AddIOp::create(b, epoch, emitI32(1));
  SmallVector<Type> types(addresses.size(), b.getI32Type());
  auto loop = scf::WhileOp::create(b, types, ValueRange());
  {
    OpBuilder::InsertionGuard guard(b);
    b.createBlock(&loop.getBefore());
    SmallVector<Value> words;
    Value isMissing;
    for (Value address : addresses) {
      Value packet = LLVM::LoadOp::create(
          b, b.getI64Type(), address, kPacketBytes, /*isVolatile=*/false,
          /*isNonTemporal=*/false, /*isInvariant=*/false,
          /*isInvariantGroup=*/false, LLVM::AtomicOrdering::monotonic);
      words.push_back(arith::TruncIOp::create(b, b.getI32Type(), packet));
      Value seen = arith::TruncIOp::create(
          b, b.getI32Type(), arith::ShRUIOp::create(b, packet, emitI64(32)));
      Value differs =
          arith::CmpIOp::create(b, arith::CmpIPredicate::ne, seen, run);
      isMissing = isMissing
                      ? arith::OrIOp::create(b, isMissing, differs).getResult()
                      : differs;
    }
    scf::ConditionOp::create(b, isMissing, words);
    b.createBlock(&loop.getAfter(), {}, types,
                  SmallVector<Location>(types.size(), b.getLoc()));
    scf::YieldOp::create(b);
  }
  SmallVector<Value> vectors;
  auto words = VectorType::get(kPacketsPerVector, b.getI32Type());
  for (size_t i = 0; i != packets.size(); ++i) {
    Value data = LLVM::PoisonOp::create(b, words);
    for (int64_t number = 0; number != kPacketsPerVector; ++number)
      data = LLVM::InsertElementOp::create(
          b, data, loop.getResult(i * kPacketsPerVector + number),
          emitI32(number));
    vectors.push_back(LLVM::BitcastOp::create(b, type, data));
  }
  return vectors;
}

/// Emits a loop of all threads over several ranges of `elements` elements, from
/// `firsts` on. `body` gets a vector of each range. It runs as long as the
/// tensor has that of the first range, which must be the lowest.
void PacketAllReduce::emitLoop(int64_t elements, ArrayRef<ElementRange> firsts,
                               function_ref<void(ArrayRef<Item>)> body) {
  OpBuilder::InsertionGuard guard(b);
  Value start =
      arith::MulIOp::create(b, emitWide(thread), emitI64(plan.vector));
  auto loop = scf::ForOp::create(b, start, emitI64(elements),
                                 emitI64(plan.threads * plan.vector));
  b.setInsertionPointToStart(loop.getBody());
  SmallVector<Item> items;
  for (const ElementRange &first : firsts) {
    Value index = loop.getInductionVar();
    ElementRange at{arith::AddIOp::create(b, first.inPlace, index),
                    arith::AddIOp::create(b, first.inTensor, index)};
    Value isThere = emitBelow(at.inTensor, plan.elements);
    // A vector that is not there is loaded, or waited for, as the first one is.
    ElementRange safe = items.empty() ? at : items.front().at;
    items.push_back(
        {at, isThere,
         arith::SelectOp::create(b, isThere, at.inPlace, safe.inPlace),
         arith::SelectOp::create(b, isThere, at.inTensor, safe.inTensor)});
  }
  emitIf(items.front().isThere, [&] { body(items); });
}

/// Runs `body` in the threads that work on elements, when all have read the
/// epoch. The threads of the last warp then end the run of this block, which
/// would keep other threads from their elements.
void PacketAllReduce::emitRun(function_ref<void()> body) {
  NVVM::Barrier0Op::create(b);
  Value last = emitI32(plan.threads);
  emitIf(arith::CmpIOp::create(b, arith::CmpIPredicate::eq, thread, last),
         [&] { emitBlockFinished(b, state); });
  emitIf(arith::CmpIOp::create(b, arith::CmpIPredicate::ult, thread, last),
         body);
}

void PacketAllReduce::emitOneShot() {
  emitRun([&] {
    Value set = emitParitySet();
    Packets mine = getPlace(rank, set);
    emitLoop(plan.chunk, emitChunk(), [&](ArrayRef<Item> items) {
      ElementRange at = items.front().at;
      Value value = emitInput(at.inTensor);
      for (Value peer : peers)
        emitSend(value, peer, mine, at.inPlace);
    });
    SmallVector<Packets> places;
    for (int64_t number = 0; number != plan.ranks; ++number)
      places.push_back(getPlace(emitI32(number), set));
    emitLoop(plan.chunk, emitChunk(), [&](ArrayRef<Item> items) {
      ElementRange at = items.front().at;
      SmallVector<Value> elements(plan.ranks, at.inPlace);
      emitOutput(emitSum(emitReceive(places, elements)), at.inTensor);
    });
  });
}

void PacketAllReduce::emitTwoShots() {
  // A rank that has a sum knows that its share has been read, and a rank that
  // has all shares knows that the run before has ended everywhere. So neither
  // needs a second set of places.
  emitRun([&] {
    SmallVector<Packets> places;
    SmallVector<ElementRange> shares, sharesOfSums;
    for (int64_t number = 0; number != plan.ranks; ++number) {
      places.push_back(getPlace(emitI32(number), emitI64(0)));
      shares.push_back(emitShare(emitI32(number)));
      sharesOfSums.push_back(emitShareOfSums(emitI32(number)));
    }
    Packets mine = getPlace(rank, emitI64(0));
    emitLoop(plan.getShare(), shares, [&](ArrayRef<Item> items) {
      SmallVector<Value> values = llvm::map_to_vector(
          items, [&](const Item &item) { return emitInput(item.toLoad); });
      for (auto [item, value, peer] : llvm::zip_equal(items, values, peers))
        emitIf(item.isThere, [&, item = item, value = value, peer = peer] {
          emitSend(value, peer, mine, item.at.inPlace);
        });
    });
    Packets sums{emitI64(plan.getSumsOffset()),
                 plan.blocks * plan.chunk / plan.vector};
    emitLoop(plan.getShare(), emitShare(rank), [&](ArrayRef<Item> items) {
      ElementRange at = items.front().at;
      SmallVector<Value> elements(plan.ranks, at.inPlace);
      Value sum = emitSum(emitReceive(places, elements));
      for (Value peer : peers)
        emitSend(sum, peer, sums, at.inTensor);
    });
    emitLoop(plan.getShare(), sharesOfSums, [&](ArrayRef<Item> items) {
      SmallVector<Packets> all(plan.ranks, sums);
      SmallVector<Value> elements = llvm::map_to_vector(
          items, [](const Item &item) { return item.toReceive; });
      for (auto [item, sum] :
           llvm::zip_equal(items, emitReceive(all, elements)))
        emitIf(item.isThere, [&, item = item, sum = sum] {
          emitOutput(sum, item.at.inTensor);
        });
    });
  });
}
