//===- SemaphoreAllReduce.cpp - All-reduces that wait for semaphores ------===//
//
// Part of Grout. How blocks exchange data:
//
// - The threads of a block store into the symmetric memory of other ranks.
//   After a barrier of the block, thread r posts the block's semaphore on
//   rank r.
// - Thread r waits until rank r has posted. After another barrier, all threads
//   read what the other ranks have stored here.
//
// A post is a release, and a wait an acquire, at system scope.
//
//===----------------------------------------------------------------------===//

#include "AllReduceEmitter.h"

#include "grout/Conversion/Common/SyncState.h"
#include "grout/Dialect/TSync/IR/TSync.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace grout;

/// The loads that a thread has under way at once.
static constexpr int64_t kLoadsAhead = 8;

/// The address of element `element` behind byte `byte` of symmetric memory.
Value SemaphoreAllReduce::emitRemote(Value pointer, Value byte, Value element) {
  Value start = LLVM::GEPOp::create(b, pointer.getType(), b.getI8Type(),
                                    pointer, ValueRange{byte});
  return LLVM::GEPOp::create(b, pointer.getType(), type.getElementType(), start,
                             ValueRange{element});
}

Value SemaphoreAllReduce::emitLoad(Value address) {
  return LLVM::LoadOp::create(b, type, address,
                              plan.vector * plan.elementBytes);
}

void SemaphoreAllReduce::emitStore(Value value, Value address) {
  LLVM::StoreOp::create(b, value, address, plan.vector * plan.elementBytes);
}

/// Emits `body`, which other ranks than rank `number` run.
void SemaphoreAllReduce::emitUnlessRank(int64_t number,
                                        function_ref<void()> body) {
  emitIf(
      arith::CmpIOp::create(b, arith::CmpIPredicate::ne, rank, emitI32(number)),
      body);
}

/// Emits a loop of all threads over several ranges of `elements` elements, from
/// `firsts` on, as far as the tensor has them. A thread loads several vectors
/// before it stores them. `load` makes `loads` loads. Vectors that it does not
/// store are loaded from the first element.
void SemaphoreAllReduce::emitLoop(int64_t elements,
                                  ArrayRef<ElementRange> firsts, int64_t loads,
                                  Load load, Store store) {
  OpBuilder::InsertionGuard guard(b);
  int64_t step = plan.threads * plan.vector;
  int64_t ahead = std::clamp<int64_t>(
      kLoadsAhead / (loads * static_cast<int64_t>(firsts.size())), 1,
      llvm::divideCeil(elements, step));
  Value start =
      arith::MulIOp::create(b, emitWide(thread), emitI64(plan.vector));
  auto loop =
      scf::ForOp::create(b, start, emitI64(elements), emitI64(ahead * step));
  b.setInsertionPointToStart(loop.getBody());
  struct Loaded {
    int64_t number;
    ElementRange at;
    Value isThere, value;
  };
  SmallVector<Loaded> loaded;
  for (int64_t i = 0; i != ahead; ++i) {
    Value index =
        arith::AddIOp::create(b, loop.getInductionVar(), emitI64(i * step));
    for (auto [number, first] : llvm::enumerate(firsts)) {
      ElementRange at{arith::AddIOp::create(b, first.inPlace, index),
                      arith::AddIOp::create(b, first.inTensor, index)};
      Value isThere = arith::AndIOp::create(
          b, emitBelow(index, elements), emitBelow(at.inTensor, plan.elements));
      ElementRange safe{
          arith::SelectOp::create(b, isThere, at.inPlace, emitI64(0)),
          arith::SelectOp::create(b, isThere, at.inTensor, emitI64(0))};
      loaded.push_back(
          {static_cast<int64_t>(number), at, isThere, load(number, safe)});
    }
  }
  for (const Loaded &each : loaded)
    emitIf(each.isThere, [&] { store(each.number, each.value, each.at); });
}

/// The sum over the ranks at `at`. The data of other ranks is in their places,
/// `set` bytes behind those of the first set.
Value SemaphoreAllReduce::emitSumOfPlaces(ElementRange at, Value set) {
  SmallVector<Value> terms;
  Value mine = emitInput(at.inTensor);
  for (int64_t number = 0; number != plan.ranks; ++number) {
    Value byte = arith::AddIOp::create(b, set, emitPlace(emitI32(number)));
    Value isMine = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, rank,
                                         emitI32(number));
    Value given = emitLoad(emitRemote(own, byte, at.inPlace));
    terms.push_back(arith::SelectOp::create(b, isMine, mine, given));
  }
  return emitSum(terms);
}

/// Makes all threads of the block see what the same block of all other ranks
/// has stored here before this exchange.
void SemaphoreAllReduce::emitExchange(int64_t phase) {
  NVVM::Barrier0Op::create(b);
  Value isOther = arith::AndIOp::create(
      b,
      arith::CmpIOp::create(b, arith::CmpIPredicate::ult, thread,
                            emitI32(plan.ranks)),
      arith::CmpIOp::create(b, arith::CmpIPredicate::ne, thread, rank));
  Value here = emitSemaphores(b, {state, own});
  emitIf(isOther, [&] {
    Value first = arith::AddIOp::create(
        b, emitI32(plan.getFirstSemaphore(phase)),
        arith::MulIOp::create(b, block, emitI32(plan.ranks)));
    Value there = emitSemaphores(b, {state, emitSelectedPeer(thread)});
    tsync::PostOp::create(b, there, arith::AddIOp::create(b, first, rank),
                          tsync::Scope::system, tsync::Proxy::generic);
    tsync::WaitOp::create(b, here, arith::AddIOp::create(b, first, thread),
                          emitI32(1), tsync::Scope::system,
                          tsync::Proxy::generic, ValueRange());
  });
  NVVM::Barrier0Op::create(b);
}

void SemaphoreAllReduce::emitOneShot() {
  Value set = emitParitySet();
  Value place = arith::AddIOp::create(b, set, emitPlace(rank));
  emitLoop(
      plan.chunk, emitChunk(), /*loads=*/1,
      [&](int64_t, ElementRange at) { return emitInput(at.inTensor); },
      [&](int64_t, Value value, ElementRange at) {
        for (auto [number, peer] : llvm::enumerate(peers))
          emitUnlessRank(number, [&, peer = peer] {
            emitStore(value, emitRemote(peer, place, at.inPlace));
          });
      });
  emitExchange(0);
  emitLoop(
      plan.chunk, emitChunk(), plan.ranks,
      [&](int64_t, ElementRange at) { return emitSumOfPlaces(at, set); },
      [&](int64_t, Value sum, ElementRange at) {
        emitOutput(sum, at.inTensor);
      });
  emitEndOfRun();
}

void SemaphoreAllReduce::emitTwoShots() {
  // Each wait lets a rank reuse the memory of the other phase: a rank that has
  // given its sums has read the shares, and a rank that gives shares has ended
  // the run before.
  SmallVector<ElementRange> shares, sharesOfSums;
  for (int64_t number = 0; number != plan.ranks; ++number) {
    shares.push_back(emitShare(emitI32(number)));
    sharesOfSums.push_back(emitShareOfSums(emitI32(number)));
  }
  Value place = emitPlace(rank);
  emitLoop(
      plan.getShare(), shares, /*loads=*/1,
      [&](int64_t, ElementRange at) { return emitInput(at.inTensor); },
      [&](int64_t number, Value value, ElementRange at) {
        emitUnlessRank(number, [&] {
          emitStore(value, emitRemote(peers[number], place, at.inPlace));
        });
      });
  emitExchange(0);

  Value sums = emitI64(plan.getSumsOffset());
  emitLoop(
      plan.getShare(), emitShare(rank), plan.ranks,
      [&](int64_t, ElementRange at) { return emitSumOfPlaces(at, emitI64(0)); },
      [&](int64_t, Value sum, ElementRange at) {
        for (auto [number, peer] : llvm::enumerate(peers))
          emitUnlessRank(number, [&, peer = peer] {
            emitStore(sum, emitRemote(peer, sums, at.inTensor));
          });
        emitOutput(sum, at.inTensor);
      });
  emitExchange(1);

  emitLoop(
      plan.getShare(), sharesOfSums, /*loads=*/1,
      [&](int64_t, ElementRange at) {
        return emitLoad(emitRemote(own, sums, at.inPlace));
      },
      [&](int64_t number, Value sum, ElementRange at) {
        emitUnlessRank(number, [&] { emitOutput(sum, at.inTensor); });
      });
  emitEndOfRun();
}

/// Ends the run of this block. All its threads have read the epoch.
void SemaphoreAllReduce::emitEndOfRun() {
  emitIf(arith::CmpIOp::create(b, arith::CmpIPredicate::eq, thread, emitI32(0)),
         [&] { emitBlockFinished(b, state); });
}
