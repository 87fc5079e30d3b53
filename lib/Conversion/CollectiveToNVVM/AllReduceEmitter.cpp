//===- AllReduceEmitter.cpp - The code of an all-reduce -------------------===//
//
// Part of Grout. How ranks exchange data (see docs/Collectives.md):
//
// - The threads of a block store into the symmetric memory of other ranks.
// After
//   a barrier of the block, thread r posts the block's semaphore on rank r.
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
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace grout;

AllReduceEmitter::AllReduceEmitter(LLVM::LLVMFuncOp func,
                                   const AllReducePlan &plan,
                                   BufferView inputView, BufferView outputView)
    : plan(plan), inputView(std::move(inputView)),
      outputView(std::move(outputView)),
      b(func.getLoc(), OpBuilder::atBlockBegin(&func.getBody().front())),
      input(func.getArgument(0)), output(func.getArgument(1)),
      state(func.getArgument(2)), rank(func.getArgument(3)),
      peers(llvm::to_vector_of<Value>(func.getArguments().drop_front(4))),
      type(VectorType::get(plan.vector, this->inputView.elementType)) {}

//===----------------------------------------------------------------------===//
// Values and addresses
//===----------------------------------------------------------------------===//

Value AllReduceEmitter::emitI32(int64_t value) {
  return arith::ConstantIntOp::create(b, b.getI32Type(), value);
}

Value AllReduceEmitter::emitI64(int64_t value) {
  return arith::ConstantIntOp::create(b, b.getI64Type(), value);
}

/// Whether this rank has number `number`.
Value AllReduceEmitter::emitIsRank(int64_t number) {
  return arith::CmpIOp::create(b, arith::CmpIPredicate::eq, rank,
                               emitI32(number));
}

/// The symmetric memory of rank `number`, which is known at run time.
Value AllReduceEmitter::emitSelectedPeer(Value number) {
  Value selected = peers.front();
  for (auto [index, peer] : llvm::drop_begin(llvm::enumerate(peers))) {
    Value isPeer = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, number,
                                         emitI32(index));
    selected = arith::SelectOp::create(b, isPeer, peer, selected);
  }
  return selected;
}

/// The address of element `element` of a tensor, counted row by row.
Value AllReduceEmitter::emitElementAddress(Value pointer,
                                           const BufferView &view,
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

/// The address of element `element` behind byte `byte` of symmetric memory.
Value AllReduceEmitter::emitAddress(Value pointer, Value byte, Value element) {
  Value start = LLVM::GEPOp::create(b, pointer.getType(), b.getI8Type(),
                                    pointer, ValueRange{byte});
  return LLVM::GEPOp::create(b, pointer.getType(), inputView.elementType, start,
                             ValueRange{element});
}

/// The byte of the symmetric memory at which rank `of` leaves its data.
Value AllReduceEmitter::emitPlace(Value of) {
  Value wide = arith::ExtUIOp::create(b, b.getI64Type(), of);
  return arith::AddIOp::create(
      b, emitI64(plan.getPlacesOffset()),
      arith::MulIOp::create(b, wide, emitI64(plan.getPlaceBytes())));
}

Value AllReduceEmitter::emitLoad(Value address) {
  return LLVM::LoadOp::create(b, type, address,
                              plan.vector * plan.elementBytes);
}

void AllReduceEmitter::emitStore(Value value, Value address) {
  LLVM::StoreOp::create(b, value, address, plan.vector * plan.elementBytes);
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

void AllReduceEmitter::emitIf(Value condition, function_ref<void()> body) {
  auto choice = scf::IfOp::create(b, condition);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(choice.thenBlock());
  body();
}

/// Emits `body`, which other ranks than rank `number` run.
void AllReduceEmitter::emitUnlessRank(int64_t number,
                                      function_ref<void()> body) {
  emitIf(
      arith::CmpIOp::create(b, arith::CmpIPredicate::ne, rank, emitI32(number)),
      body);
}

/// Emits a loop of all threads over `elements` elements, those that the tensor
/// has. They begin at `firstInPlace` and `firstInTensor`.
void AllReduceEmitter::emitLoop(int64_t elements, Value firstInPlace,
                                Value firstInTensor,
                                function_ref<void(const Position &)> body) {
  OpBuilder::InsertionGuard guard(b);
  Value first = arith::MulIOp::create(
      b, arith::ExtUIOp::create(b, b.getI64Type(), thread),
      emitI64(plan.vector));
  auto loop = scf::ForOp::create(b, first, emitI64(elements),
                                 emitI64(plan.threads * plan.vector));
  b.setInsertionPointToStart(loop.getBody());
  Value index = loop.getInductionVar();
  Position at{arith::AddIOp::create(b, firstInPlace, index),
              arith::AddIOp::create(b, firstInTensor, index)};
  emitIf(arith::CmpIOp::create(b, arith::CmpIPredicate::ult, at.inTensor,
                               emitI64(plan.elements)),
         [&] { body(at); });
}

//===----------------------------------------------------------------------===//
// The algorithms
//===----------------------------------------------------------------------===//

/// The sum over the ranks at `at`, in f32 and rounded once. The data of other
/// ranks is in their places, from byte `set` on.
Value AllReduceEmitter::emitSum(const Position &at, Value set) {
  Value mine = emitElementAddress(input, inputView, at.inTensor);
  Type wide = VectorType::get(plan.vector, b.getF32Type());
  bool isWide = type == wide;
  Value sum;
  for (int64_t number = 0; number != plan.ranks; ++number) {
    Value byte = arith::AddIOp::create(b, set, emitPlace(emitI32(number)));
    Value address = arith::SelectOp::create(b, emitIsRank(number), mine,
                                            emitAddress(own, byte, at.inPlace));
    Value term = emitLoad(address);
    if (!isWide)
      term = arith::ExtFOp::create(b, wide, term);
    sum = sum ? arith::AddFOp::create(b, sum, term).getResult() : term;
  }
  return isWide ? sum : arith::TruncFOp::create(b, type, sum).getResult();
}

/// Makes all threads of the block see what the same block of all other ranks
/// has stored here before this exchange.
void AllReduceEmitter::emitExchange(int64_t phase) {
  NVVM::Barrier0Op::create(b);
  Value isOther = arith::AndIOp::create(
      b,
      arith::CmpIOp::create(b, arith::CmpIPredicate::ult, thread,
                            emitI32(plan.ranks)),
      arith::CmpIOp::create(b, arith::CmpIPredicate::ne, thread, rank));
  emitIf(isOther, [&] {
    Value first = arith::AddIOp::create(
        b, emitI32(plan.getFirstSemaphore(phase)),
        arith::MulIOp::create(b, block, emitI32(plan.ranks)));
    Value there = emitSemaphores(b, {state, emitSelectedPeer(thread)});
    tsync::PostOp::create(b, there, arith::AddIOp::create(b, first, rank),
                          tsync::Scope::system, tsync::Proxy::generic);
    Value here = emitSemaphores(b, {state, own});
    tsync::WaitOp::create(b, here, arith::AddIOp::create(b, first, thread),
                          emitI32(1), tsync::Scope::system,
                          tsync::Proxy::generic, ValueRange());
  });
  NVVM::Barrier0Op::create(b);
}

void AllReduceEmitter::emitOneShot() {
  // Runs use two sets of places in turn. When a rank writes to a set again, it
  // has waited for all ranks in the run between, so all have read the set.
  Value epoch = LLVM::LoadOp::create(
      b, b.getI32Type(), emitStateWord(b, state, kernelabi::kEpochWord));
  Value parity = arith::ExtUIOp::create(
      b, b.getI64Type(), arith::AndIOp::create(b, epoch, emitI32(1)));
  Value set = arith::MulIOp::create(b, parity,
                                    emitI64(plan.ranks * plan.getPlaceBytes()));
  Value first = arith::MulIOp::create(
      b, arith::ExtUIOp::create(b, b.getI64Type(), block), emitI64(plan.chunk));
  Value place = arith::AddIOp::create(b, set, emitPlace(rank));
  emitLoop(plan.chunk, first, first, [&](const Position &at) {
    Value value = emitLoad(emitElementAddress(input, inputView, at.inTensor));
    for (auto [number, peer] : llvm::enumerate(peers))
      emitUnlessRank(number, [&, peer = peer] {
        emitStore(value, emitAddress(peer, place, at.inPlace));
      });
  });
  emitExchange(0);
  emitLoop(plan.chunk, first, first, [&](const Position &at) {
    emitStore(emitSum(at, set),
              emitElementAddress(output, outputView, at.inTensor));
  });
}

void AllReduceEmitter::emitTwoShots() {
  // Each wait lets a rank reuse the memory of the other phase: a rank that has
  // given its sums has read the shares, and one that gives shares has ended the
  // run before.
  Value wideBlock = arith::ExtUIOp::create(b, b.getI64Type(), block);
  Value first = arith::MulIOp::create(b, wideBlock, emitI64(plan.chunk));
  Value firstShare =
      arith::MulIOp::create(b, wideBlock, emitI64(plan.getShare()));
  Value place = emitPlace(rank);
  auto emitShareStart = [&](Value of) -> Value {
    return arith::AddIOp::create(
        b, first, arith::MulIOp::create(b, of, emitI64(plan.getShare())));
  };
  for (auto [number, peer] : llvm::enumerate(peers))
    emitUnlessRank(number, [&, number = number, peer = peer] {
      emitLoop(plan.getShare(), firstShare, emitShareStart(emitI64(number)),
               [&](const Position &at) {
                 emitStore(emitLoad(emitElementAddress(input, inputView,
                                                       at.inTensor)),
                           emitAddress(peer, place, at.inPlace));
               });
    });
  emitExchange(0);

  Value sums = emitI64(plan.getSumsOffset());
  Value own64 = arith::ExtUIOp::create(b, b.getI64Type(), rank);
  emitLoop(plan.getShare(), firstShare, emitShareStart(own64),
           [&](const Position &at) {
             Value sum = emitSum(at, emitI64(0));
             for (auto [number, peer] : llvm::enumerate(peers))
               emitUnlessRank(number, [&, peer = peer] {
                 emitStore(sum, emitAddress(peer, sums, at.inTensor));
               });
             emitStore(sum,
                       emitElementAddress(output, outputView, at.inTensor));
           });
  emitExchange(1);

  for (int64_t number = 0; number != plan.ranks; ++number)
    emitUnlessRank(number, [&] {
      Value start = emitShareStart(emitI64(number));
      emitLoop(plan.getShare(), start, start, [&](const Position &at) {
        emitStore(emitLoad(emitAddress(own, sums, at.inTensor)),
                  emitElementAddress(output, outputView, at.inTensor));
      });
    });
}

void AllReduceEmitter::emit(const ProgrammaticLaunch &programmatic) {
  emitEntryTrigger(b, b.getLoc(), programmatic);
  if (programmatic.waitsAtEntry || programmatic.loadsEarly)
    emitLaunchWait(b, b.getLoc());
  if (programmatic.trigger == launch::Trigger::at_entry ||
      programmatic.trigger == launch::Trigger::after_wait)
    emitLaunchTrigger(b, b.getLoc());
  thread = NVVM::ThreadIdXOp::create(b, b.getI32Type());
  block = NVVM::BlockIdXOp::create(b, b.getI32Type());
  own = emitSelectedPeer(rank);
  if (plan.isTwoShot)
    emitTwoShots();
  else
    emitOneShot();
  emitIf(arith::CmpIOp::create(b, arith::CmpIPredicate::eq, thread, emitI32(0)),
         [&] {
           emitBlockFinished(b, state);
           if (programmatic.waitsAtEnd)
             emitLaunchWait(b, b.getLoc());
         });
  LLVM::ReturnOp::create(b, ValueRange());
}
