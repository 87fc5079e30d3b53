//===- AllReduceEmitter.cpp - The code of an all-reduce -------------------===//
//
// Part of Grout. What all ways to exchange data have in common.
//
//===----------------------------------------------------------------------===//

#include "AllReduceEmitter.h"

#include "grout/Conversion/Common/SyncState.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace grout;

AllReduceEmitter::AllReduceEmitter(LLVM::LLVMFuncOp func,
                                   const AllReducePlan &plan,
                                   BufferView inputView, BufferView outputView)
    : plan(plan),
      b(func.getLoc(), OpBuilder::atBlockBegin(&func.getBody().front())),
      state(func.getArgument(2)), rank(func.getArgument(3)),
      peers(llvm::to_vector_of<Value>(func.getArguments().drop_front(4))),
      type(VectorType::get(plan.vector, inputView.elementType)),
      inputView(std::move(inputView)), outputView(std::move(outputView)),
      input(func.getArgument(0)), output(func.getArgument(1)) {}

AllReduceEmitter::~AllReduceEmitter() = default;

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

Value AllReduceEmitter::emitBelow(Value value, int64_t end) {
  return arith::CmpIOp::create(b, arith::CmpIPredicate::ult, value,
                               emitI64(end));
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

/// The byte of the symmetric memory at which rank `of` leaves its data.
Value AllReduceEmitter::emitPlace(Value of) {
  return arith::AddIOp::create(
      b, emitI64(plan.getPlacesOffset()),
      arith::MulIOp::create(b, emitWide(of), emitI64(plan.getPlaceBytes())));
}

/// The bytes before the set of places that this run of one shot uses. When a
/// rank writes to a set again, it has waited for all ranks in the run between,
/// so all have read the set.
Value AllReduceEmitter::emitParitySet() {
  Value parity = arith::AndIOp::create(b, epoch, emitI32(1));
  return arith::MulIOp::create(b, emitWide(parity),
                               emitI64(plan.ranks * plan.getPlaceBytes()));
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

/// The sum of `terms`, one of each rank, in f32 and rounded once.
Value AllReduceEmitter::emitSum(ValueRange terms) {
  auto wide = VectorType::get(plan.vector, b.getF32Type());
  bool isWide = type == wide;
  Value sum;
  for (Value term : terms) {
    if (!isWide)
      term = arith::ExtFOp::create(b, wide, term);
    sum = sum ? arith::AddFOp::create(b, sum, term).getResult() : term;
  }
  return isWide ? sum : arith::TruncFOp::create(b, type, sum).getResult();
}

void AllReduceEmitter::emit(const TileSynchronisation &sync) {
  emitStart(b, sync);
  thread = NVVM::ThreadIdXOp::create(b, b.getI32Type());
  block = NVVM::BlockIdXOp::create(b, b.getI32Type());
  own = emitSelectedPeer(rank);
  epoch = LLVM::LoadOp::create(b, b.getI32Type(),
                               emitStateWord(b, state, kernelabi::kEpochWord));
  if (plan.isTwoShot)
    emitTwoShots();
  else
    emitOneShot();
  if (sync.programmatic.waitsAtEnd)
    emitLaunchWait(b, b.getLoc());
  LLVM::ReturnOp::create(b, ValueRange());
}
