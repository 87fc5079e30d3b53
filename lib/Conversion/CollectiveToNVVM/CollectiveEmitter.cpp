//===- CollectiveEmitter.cpp - The code of a collective op ----------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "CollectiveEmitter.h"

#include "grout/Conversion/Common/PeerWords.h"
#include "grout/Conversion/Common/SyncState.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace grout;
using Algorithm = CollectivePlan::Algorithm;

/// The vectors that a thread has under way at once.
static constexpr int64_t kVectorsAhead = 8;

CollectiveEmitter::CollectiveEmitter(LLVM::LLVMFuncOp func,
                                     const CollectivePlan &plan)
    : plan(plan),
      b(func.getLoc(), OpBuilder::atBlockBegin(&func.getBody().front())),
      input(func.getArgument(0)), output(func.getArgument(1)),
      state(func.getArgument(2)), rank(func.getArgument(3)),
      peers(llvm::to_vector_of<Value>(func.getArguments().drop_front(4))) {}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

Value CollectiveEmitter::emitI32(int64_t value) {
  return arith::ConstantIntOp::create(b, b.getI32Type(), value);
}

Value CollectiveEmitter::emitI64(int64_t value) {
  return arith::ConstantIntOp::create(b, b.getI64Type(), value);
}

Value CollectiveEmitter::emitWide(Value value) {
  return arith::ExtUIOp::create(b, b.getI64Type(), value);
}

void CollectiveEmitter::emitIf(Value condition, function_ref<void()> body) {
  auto choice = scf::IfOp::create(b, condition);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(choice.thenBlock());
  body();
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// The number of the vector's first element, as CollectivePlan counts them.
Value CollectiveEmitter::emitNumber(const Item &item) {
  if (plan.getPartElements() == 0)
    return item.element;
  return arith::AddIOp::create(
      b, item.element,
      arith::MulIOp::create(b, emitWide(item.part),
                            emitI64(plan.getPartElements())));
}

Value CollectiveEmitter::emitInput(const Item &item) {
  Value address = plan.input.emitAddress(b, input, item.part, emitNumber(item));
  Value value = LLVM::LoadOp::create(b, plan.stored, address,
                                     plan.vector * plan.elementBytes);
  if (plan.stored == plan.sent)
    return value;
  return arith::ExtUIOp::create(b, plan.sent, value);
}

void CollectiveEmitter::emitOutput(const Item &item, Value value) {
  if (plan.stored != plan.sent)
    value = arith::TruncIOp::create(b, plan.stored, value);
  Value address =
      plan.output.emitAddress(b, output, item.part, emitNumber(item));
  LLVM::StoreOp::create(b, value, address, plan.vector * plan.elementBytes);
}

/// The address in `memory` at which rank `from` leaves the vector that begins
/// at `element`.
Value CollectiveEmitter::emitPlace(Value memory, int64_t exchange, Value from,
                                   Value element) {
  Value place =
      arith::MulIOp::create(b, emitWide(from), emitI64(plan.getPlaceBytes()));
  Value vector = arith::DivUIOp::create(b, element, emitI64(plan.vector));
  Value before =
      arith::MulIOp::create(b, vector, emitI64(plan.getVectorBytes()));
  Value byte =
      arith::AddIOp::create(b, set, emitI64(plan.getExchangeOffset(exchange)));
  for (Value part : {place, before})
    byte = arith::AddIOp::create(b, byte, part);
  return LLVM::GEPOp::create(b, memory.getType(), b.getI8Type(), memory,
                             ValueRange{byte});
}

/// Gives `words` to the ranks whose memory is `receivers`.
void CollectiveEmitter::emitGive(const Item &item, Value words,
                                 int64_t exchange, ValueRange receivers) {
  for (Value receiver : receivers)
    emitSend(b, words, emitPlace(receiver, exchange, rank, item.element));
}

//===----------------------------------------------------------------------===//
// The algorithms
//===----------------------------------------------------------------------===//

/// Emits a loop of all threads over this block's chunk of each of `parts`.
/// `body` gets as many vectors at once as the thread has under way, if it has
/// `vectors` for each: vectors of all parts, then the next of all parts.
void CollectiveEmitter::emitLoop(ValueRange parts, int64_t vectors,
                                 function_ref<void(Items)> body) {
  OpBuilder::InsertionGuard guard(b);
  int64_t step = plan.threads * plan.vector;
  int64_t ahead = std::clamp<int64_t>(
      kVectorsAhead / (vectors * static_cast<int64_t>(parts.size())), 1,
      llvm::divideCeil(plan.chunk, step));
  Value start =
      arith::MulIOp::create(b, emitWide(thread), emitI64(plan.vector));
  auto loop =
      scf::ForOp::create(b, start, emitI64(plan.chunk), emitI64(ahead * step));
  b.setInsertionPointToStart(loop.getBody());
  Value first = arith::MulIOp::create(b, emitWide(block), emitI64(plan.chunk));
  auto isBelow = [&](Value value, int64_t end) {
    return arith::CmpIOp::create(b, arith::CmpIPredicate::ult, value,
                                 emitI64(end));
  };
  SmallVector<Item> items;
  for (int64_t i = 0; i != ahead; ++i) {
    Value index =
        arith::AddIOp::create(b, loop.getInductionVar(), emitI64(i * step));
    Value element = arith::AddIOp::create(b, first, index);
    for (Value part : parts) {
      Value isThere = arith::AndIOp::create(
          b, isBelow(index, plan.chunk),
          isBelow(emitNumber({part, element, Value()}), plan.elements));
      // The first vector of part 0 is always there.
      items.push_back({arith::SelectOp::create(b, isThere, part, emitI32(0)),
                       arith::SelectOp::create(b, isThere, element, emitI64(0)),
                       isThere});
    }
  }
  body(items);
}

/// Gives each rank its part of the operand.
void CollectiveEmitter::emitParts() {
  emitLoop(all, /*vectors=*/1, [&](Items items) {
    SmallVector<Value> given = llvm::map_to_vector(
        items, [&](const Item &item) { return emitWords(b, emitInput(item)); });
    for (auto [number, item] : llvm::enumerate(items))
      emitIf(item.isThere, [&, number = number, &item = item] {
        emitGive(item, given[number], /*exchange=*/0,
                 peers[number % plan.ranks]);
      });
  });
}

/// Gives all ranks the operand.
void CollectiveEmitter::emitOwnPart() {
  emitLoop(rank, /*vectors=*/1, [&](Items items) {
    SmallVector<Value> given = llvm::map_to_vector(
        items, [&](const Item &item) { return emitWords(b, emitInput(item)); });
    for (auto [item, words] : llvm::zip_equal(items, given))
      emitIf(item.isThere, [&, &item = item, words = words] {
        emitGive(item, words, /*exchange=*/0, peers);
      });
  });
}

/// Adds up what all ranks have given, and lets `consume` use the sums.
void CollectiveEmitter::emitSums(
    function_ref<void(const Item &, Value)> consume) {
  emitLoop(rank, plan.ranks, [&](Items items) {
    SmallVector<PeerVector> vectors;
    for (const Item &item : items)
      for (Value from : all)
        vectors.push_back({emitPlace(own, /*exchange=*/0, from, item.element),
                           from, item.isThere});
    SmallVector<Value> sums =
        emitReceivedSums(b, vectors, plan.ranks, plan.sent, state);
    for (auto [item, sum] : llvm::zip_equal(items, sums))
      emitIf(item.isThere,
             [&, &item = item, sum = sum] { consume(item, sum); });
  });
}

/// Makes the result of the parts that all ranks give in `exchange`.
void CollectiveEmitter::emitResult(int64_t exchange) {
  emitLoop(all, /*vectors=*/1, [&](Items items) {
    SmallVector<PeerVector> vectors;
    for (auto [number, item] : llvm::enumerate(items)) {
      Value from = all[number % plan.ranks];
      vectors.push_back(
          {emitPlace(own, exchange, from, item.element), from, item.isThere});
    }
    SmallVector<Value> received = emitReceive(b, vectors, plan.sent, state);
    for (auto [item, value] : llvm::zip_equal(items, received))
      emitIf(item.isThere,
             [&, &item = item, value = value] { emitOutput(item, value); });
  });
}

/// Emits the algorithm of the plan.
void CollectiveEmitter::emitAlgorithm() {
  auto store = [&](const Item &item, Value sum) { emitOutput(item, sum); };
  auto give = [&](const Item &item, Value sum) {
    emitGive(item, emitWords(b, sum), /*exchange=*/1, peers);
  };
  switch (plan.algorithm) {
  case Algorithm::oneShot:
    emitOwnPart();
    emitSums(store);
    return;
  case Algorithm::twoShots:
    emitParts();
    emitSums(give);
    emitResult(/*exchange=*/1);
    return;
  case Algorithm::scatter:
    emitParts();
    emitSums(store);
    return;
  case Algorithm::gather:
    emitOwnPart();
    emitResult(/*exchange=*/0);
    return;
  case Algorithm::allToAll:
    emitParts();
    emitResult(/*exchange=*/0);
    return;
  }
}

/// Runs `body` in the threads that work on elements, when all have read the
/// epoch. The threads of the last warp then end the run of this block, which
/// would keep other threads from their elements.
void CollectiveEmitter::emitRun(function_ref<void()> body) {
  NVVM::Barrier0Op::create(b);
  Value last = emitI32(plan.threads);
  emitIf(arith::CmpIOp::create(b, arith::CmpIPredicate::eq, thread, last),
         [&] { emitBlockFinished(b, state); });
  emitIf(arith::CmpIOp::create(b, arith::CmpIPredicate::ult, thread, last),
         body);
}

void CollectiveEmitter::emit(const TileSynchronisation &sync) {
  emitStart(b, sync);
  thread = NVVM::ThreadIdXOp::create(b, b.getI32Type());
  block = NVVM::BlockIdXOp::create(b, b.getI32Type());
  own = emitSelectedPeer(b, peers, rank);
  for (int64_t number = 0; number != plan.ranks; ++number)
    all.push_back(emitI32(number));
  set = emitPlaceSet(b, state, plan.sets, plan.getSetBytes());
  emitRun([&] { emitAlgorithm(); });
  if (sync.programmatic.waitsAtEnd)
    emitLaunchWait(b, b.getLoc());
  LLVM::ReturnOp::create(b, ValueRange());
}
