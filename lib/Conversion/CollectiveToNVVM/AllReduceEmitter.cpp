//===- AllReduceEmitter.cpp - The code of an all-reduce -------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "AllReduceEmitter.h"

#include "grout/Conversion/Common/PeerWords.h"
#include "grout/Conversion/Common/SyncState.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace grout;

/// The vectors that a thread has under way at once.
static constexpr int64_t kVectorsAhead = 8;

AllReduceEmitter::AllReduceEmitter(LLVM::LLVMFuncOp func,
                                   const AllReducePlan &plan,
                                   BufferView inputView, BufferView outputView)
    : plan(plan),
      b(func.getLoc(), OpBuilder::atBlockBegin(&func.getBody().front())),
      inputView(std::move(inputView)), outputView(std::move(outputView)),
      input(func.getArgument(0)), output(func.getArgument(1)),
      state(func.getArgument(2)), rank(func.getArgument(3)),
      peers(llvm::to_vector_of<Value>(func.getArguments().drop_front(4))),
      type(VectorType::get(plan.vector, this->inputView.elementType)) {}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

Value AllReduceEmitter::emitI32(int64_t value) {
  return arith::ConstantIntOp::create(b, b.getI32Type(), value);
}

Value AllReduceEmitter::emitI64(int64_t value) {
  return arith::ConstantIntOp::create(b, b.getI64Type(), value);
}

Value AllReduceEmitter::emitWide(Value value) {
  return arith::ExtUIOp::create(b, b.getI64Type(), value);
}

void AllReduceEmitter::emitIf(Value condition, function_ref<void()> body) {
  auto choice = scf::IfOp::create(b, condition);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(choice.thenBlock());
  body();
}

/// The chunk of this block. A place of one shot has all chunks.
ElementRange AllReduceEmitter::emitChunk() {
  Value first = arith::MulIOp::create(b, emitWide(block), emitI64(plan.chunk));
  return {first, first};
}

/// The share of a rank in the chunk of this block. A place of two shots has the
/// same share of all chunks.
ElementRange AllReduceEmitter::emitShare(Value ofRank) {
  Value share = emitI64(plan.getShare());
  Value before = arith::MulIOp::create(b, emitWide(ofRank), share);
  return {arith::MulIOp::create(b, emitWide(block), share),
          arith::AddIOp::create(b, emitChunk().inTensor, before)};
}

/// The same share. The sums have all chunks.
ElementRange AllReduceEmitter::emitShareOfSums(Value ofRank) {
  Value first = emitShare(ofRank).inTensor;
  return {first, first};
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// The byte of the symmetric memory at which rank `of` leaves its data.
Value AllReduceEmitter::emitPlace(Value of) {
  return arith::AddIOp::create(
      b, set,
      arith::MulIOp::create(b, emitWide(of), emitI64(plan.getPlaceBytes())));
}

/// The byte at which the sums are, in two shots.
Value AllReduceEmitter::emitSums() {
  return arith::AddIOp::create(b, set, emitI64(plan.getSumsOffset()));
}

/// The address, in `memory` from `byte` on, of the vector that starts at
/// `element`.
Value AllReduceEmitter::emitVectorAddress(Value memory, Value byte,
                                          Value element) {
  Value vector = arith::DivUIOp::create(b, element, emitI64(plan.vector));
  Value before = arith::MulIOp::create(
      b, vector, emitI64(getWordBytes(plan.vector, plan.elementBytes)));
  return LLVM::GEPOp::create(
      b, memory.getType(), b.getI8Type(), memory,
      ValueRange{arith::AddIOp::create(b, byte, before)});
}

/// The address of element `element` of a tensor, counted row by row.
Value AllReduceEmitter::emitAddress(Value pointer, const BufferView &view,
                                    Value element) {
  Value offset = emitI64(view.offset);
  if (view.strides == computeStrides(view.shape)) {
    offset = arith::AddIOp::create(b, offset, element);
  } else {
    Value rest = element;
    for (auto [extent, stride] :
         llvm::reverse(llvm::zip_equal(view.shape, view.strides))) {
      Value index = arith::RemUIOp::create(b, rest, emitI64(extent));
      rest = arith::DivUIOp::create(b, rest, emitI64(extent));
      offset = arith::AddIOp::create(
          b, offset, arith::MulIOp::create(b, index, emitI64(stride)));
    }
  }
  return LLVM::GEPOp::create(b, pointer.getType(), view.elementType, pointer,
                             ValueRange{offset});
}

Value AllReduceEmitter::emitInput(Value element) {
  return LLVM::LoadOp::create(b, type, emitAddress(input, inputView, element),
                              plan.vector * plan.elementBytes);
}

void AllReduceEmitter::emitOutput(Value value, Value element) {
  LLVM::StoreOp::create(b, value, emitAddress(output, outputView, element),
                        plan.vector * plan.elementBytes);
}

//===----------------------------------------------------------------------===//
// The algorithms
//===----------------------------------------------------------------------===//

/// Emits a loop of all threads over several ranges of `elements` elements, from
/// `firsts` on. `body` gets as many vectors at once as the thread has under
/// way, if it has `vectors` for each: vectors of all ranges, then the next of
/// all ranges.
void AllReduceEmitter::emitLoop(int64_t elements, ArrayRef<ElementRange> firsts,
                                int64_t vectors,
                                function_ref<void(ArrayRef<Item>)> body) {
  OpBuilder::InsertionGuard guard(b);
  int64_t step = plan.threads * plan.vector;
  int64_t ahead = std::clamp<int64_t>(
      kVectorsAhead / (vectors * static_cast<int64_t>(firsts.size())), 1,
      llvm::divideCeil(elements, step));
  Value start =
      arith::MulIOp::create(b, emitWide(thread), emitI64(plan.vector));
  auto loop =
      scf::ForOp::create(b, start, emitI64(elements), emitI64(ahead * step));
  b.setInsertionPointToStart(loop.getBody());
  auto isBelow = [&](Value value, int64_t end) {
    return arith::CmpIOp::create(b, arith::CmpIPredicate::ult, value,
                                 emitI64(end));
  };
  SmallVector<Item> items;
  for (int64_t i = 0; i != ahead; ++i) {
    Value index =
        arith::AddIOp::create(b, loop.getInductionVar(), emitI64(i * step));
    for (const ElementRange &first : firsts) {
      Value inPlace = arith::AddIOp::create(b, first.inPlace, index);
      Value inTensor = arith::AddIOp::create(b, first.inTensor, index);
      Value isThere = arith::AndIOp::create(b, isBelow(index, elements),
                                            isBelow(inTensor, plan.elements));
      Value zero = emitI64(0);
      items.push_back({{arith::SelectOp::create(b, isThere, inPlace, zero),
                        arith::SelectOp::create(b, isThere, inTensor, zero)},
                       isThere});
    }
  }
  body(items);
}

/// Runs `body` in the threads that work on elements, when all have read the
/// epoch. The threads of the last warp then end the run of this block, which
/// would keep other threads from their elements.
void AllReduceEmitter::emitRun(function_ref<void()> body) {
  NVVM::Barrier0Op::create(b);
  Value last = emitI32(plan.threads);
  emitIf(arith::CmpIOp::create(b, arith::CmpIPredicate::eq, thread, last),
         [&] { emitBlockFinished(b, state); });
  emitIf(arith::CmpIOp::create(b, arith::CmpIPredicate::ult, thread, last),
         body);
}

void AllReduceEmitter::emitOneShot() {
  Value mine = emitPlace(rank);
  emitLoop(plan.chunk, emitChunk(), /*vectors=*/1, [&](ArrayRef<Item> items) {
    SmallVector<Value> sent = llvm::map_to_vector(items, [&](const Item &item) {
      return emitWords(b, emitInput(item.at.inTensor));
    });
    for (auto [item, words] : llvm::zip_equal(items, sent))
      emitIf(item.isThere, [&, &item = item, words = words] {
        for (Value peer : peers)
          emitSend(b, words, emitVectorAddress(peer, mine, item.at.inPlace));
      });
  });
  emitLoop(plan.chunk, emitChunk(), plan.ranks, [&](ArrayRef<Item> items) {
    for (auto [item, sum] : llvm::zip_equal(items, emitReceivedSums(items)))
      emitIf(item.isThere, [&, &item = item, sum = sum] {
        emitOutput(sum, item.at.inTensor);
      });
  });
}

/// The sums over the ranks of what they have left at `items`.
SmallVector<Value> AllReduceEmitter::emitReceivedSums(ArrayRef<Item> items) {
  SmallVector<PeerVector> vectors;
  for (const Item &item : items)
    for (int64_t number = 0; number != plan.ranks; ++number)
      vectors.push_back(
          {emitVectorAddress(own, emitPlace(emitI32(number)), item.at.inPlace),
           item.isThere});
  SmallVector<Value> terms = emitReceive(b, vectors, type);
  SmallVector<Value> sums;
  for (size_t i = 0; i != items.size(); ++i)
    sums.push_back(
        emitRankSum(b, ValueRange(terms).slice(i * plan.ranks, plan.ranks)));
  return sums;
}

void AllReduceEmitter::emitTwoShots() {
  SmallVector<ElementRange> shares, sharesOfSums;
  for (int64_t number = 0; number != plan.ranks; ++number) {
    shares.push_back(emitShare(emitI32(number)));
    sharesOfSums.push_back(emitShareOfSums(emitI32(number)));
  }
  Value mine = emitPlace(rank), sums = emitSums();
  emitLoop(plan.getShare(), shares, /*vectors=*/1, [&](ArrayRef<Item> items) {
    SmallVector<Value> sent = llvm::map_to_vector(items, [&](const Item &item) {
      return emitWords(b, emitInput(item.at.inTensor));
    });
    for (auto [number, item] : llvm::enumerate(items))
      emitIf(item.isThere, [&, number = number, &item = item] {
        emitSend(b, sent[number],
                 emitVectorAddress(peers[number % plan.ranks], mine,
                                   item.at.inPlace));
      });
  });
  emitLoop(
      plan.getShare(), emitShare(rank), plan.ranks, [&](ArrayRef<Item> items) {
        for (auto [item, sum] : llvm::zip_equal(items, emitReceivedSums(items)))
          emitIf(item.isThere, [&, &item = item, sum = sum] {
            Value words = emitWords(b, sum);
            for (Value peer : peers)
              emitSend(b, words,
                       emitVectorAddress(peer, sums, item.at.inTensor));
          });
      });
  emitLoop(
      plan.getShare(), sharesOfSums, /*vectors=*/1, [&](ArrayRef<Item> items) {
        SmallVector<PeerVector> vectors =
            llvm::map_to_vector(items, [&](const Item &item) {
              return PeerVector{emitVectorAddress(own, sums, item.at.inPlace),
                                item.isThere};
            });
        SmallVector<Value> received = emitReceive(b, vectors, type);
        for (auto [item, sum] : llvm::zip_equal(items, received))
          emitIf(item.isThere, [&, &item = item, sum = sum] {
            emitOutput(sum, item.at.inTensor);
          });
      });
}

void AllReduceEmitter::emit(const TileSynchronisation &sync) {
  emitStart(b, sync);
  thread = NVVM::ThreadIdXOp::create(b, b.getI32Type());
  block = NVVM::BlockIdXOp::create(b, b.getI32Type());
  own = emitSelectedPeer(b, peers, rank);
  Value epoch = LLVM::LoadOp::create(
      b, b.getI32Type(), emitStateWord(b, state, kernelabi::kEpochWord));
  Value parity = arith::AndIOp::create(b, epoch, emitI32(1));
  set = arith::MulIOp::create(b, emitWide(parity), emitI64(plan.getSetBytes()));
  emitRun([&] {
    if (plan.isTwoShot)
      emitTwoShots();
    else
      emitOneShot();
  });
  if (sync.programmatic.waitsAtEnd)
    emitLaunchWait(b, b.getLoc());
  LLVM::ReturnOp::create(b, ValueRange());
}
