//===- SyncState.cpp - A launch's synchronisation state -------------------===//
//
// Part of Grout.
//
//===----------------------------------------------------------------------===//

#include "grout/Conversion/Common/SyncState.h"

#include "grout/Dialect/TSync/IR/TSync.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace grout;

Value grout::emitSemaphores(ImplicitLocOpBuilder &b, ValueRange states) {
  return UnrealizedConversionCastOp::create(
             b, tsync::SemaphoresType::get(b.getContext()), states)
      .getResult(0);
}

Value grout::emitStateWord(ImplicitLocOpBuilder &b, Value state,
                           uint32_t word) {
  auto global = LLVM::LLVMPointerType::get(
      b.getContext(), static_cast<unsigned>(NVVM::NVVMMemorySpace::Global));
  if (state.getType() != global)
    state = LLVM::AddrSpaceCastOp::create(b, global, state);
  return LLVM::GEPOp::create(
      b, global, b.getI32Type(), state,
      ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(word)});
}

static Value emitOne(ImplicitLocOpBuilder &b) {
  return arith::ConstantIntOp::create(b, b.getI32Type(), 1);
}

Value grout::emitStateIncrement(ImplicitLocOpBuilder &b, Value state,
                                uint32_t word) {
  return LLVM::AtomicRMWOp::create(b, LLVM::AtomicBinOp::add,
                                   emitStateWord(b, state, word), emitOne(b),
                                   LLVM::AtomicOrdering::monotonic, "device");
}

void grout::emitBlockFinished(ImplicitLocOpBuilder &b, Value state) {
  auto fence = [&] {
    LLVM::FenceOp::create(b, LLVM::AtomicOrdering::acq_rel, "device");
  };
  fence();
  Value finished = emitStateIncrement(b, state, kernelabi::kFinishedWord);
  Value blocks = NVVM::GridDimXOp::create(b, b.getI32Type());
  Value isLast = arith::CmpIOp::create(
      b, arith::CmpIPredicate::eq,
      arith::AddIOp::create(b, finished, emitOne(b)), blocks);
  auto last = scf::IfOp::create(b, isLast);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(last.thenBlock());
  fence();
  Value epochAddress = emitStateWord(b, state, kernelabi::kEpochWord);
  Value epoch = LLVM::LoadOp::create(b, b.getI32Type(), epochAddress);
  LLVM::StoreOp::create(b, arith::AddIOp::create(b, epoch, emitOne(b)),
                        epochAddress);
  Value zero = arith::ConstantIntOp::create(b, b.getI32Type(), 0);
  for (uint32_t word : {kernelabi::kTicketWord, kernelabi::kFinishedWord})
    LLVM::StoreOp::create(b, zero, emitStateWord(b, state, word));
}
