//===- TSyncToNVVM.cpp - Waits and posts for NVIDIA GPUs ------------------===//
//
// Part of Grout. This is the only place where memory order, scope and proxy of
// tile synchronisation become PTX.
//
// A wait polls with `ld.acquire`, so it acquires even a semaphore that is
// complete at the first poll. Data that another block wrote, through any proxy,
// is then ordered before this thread's ordinary reads. But TMA loads go through
// the async proxy, which release and acquire do not reach. So a wait for them
// ends with a proxy fence, by the thread that will issue the loads.
//
// A post is `red.release`. It is inline PTX because LLVM 22 drops the order of
// `atomicrmw` for NVPTX. No proxy fence is needed before it. Ordinary stores
// are in the generic proxy already, and waiting for the completion of a TMA
// store (`cp.async.bulk.wait_group`, not `.read`) implies a fence.
//
// With `debug-sync-milliseconds`, a wait gives up after a time (WaitWatchdog),
// also a wait for data of another rank, whose loop is there already.
//
//===----------------------------------------------------------------------===//

#include "WaitWatchdog.h"
#include "grout/Conversion/Common/SyncState.h"
#include "grout/Conversion/Passes.h"
#include "grout/Dialect/Launch/IR/Launch.h"
#include "grout/Dialect/TSync/IR/TSync.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include <cstddef>

namespace grout {
#define GEN_PASS_DEF_CONVERTTSYNCTONVVM
#include "grout/Conversion/Passes.h.inc"
} // namespace grout

using namespace mlir;
using namespace grout;

/// The pause between polls. Only few threads of a block poll, so a short pause
/// does not load the memory system. A longer pause would delay the data.
static constexpr int32_t kPollPauseNanoseconds = 20;

/// Returns LLVM's name of the threads in `scope`. LLVM's default scope, which
/// has no name, is the system.
static StringRef getSyncScope(tsync::Scope scope) {
  switch (scope) {
  case tsync::Scope::block:
    return "block";
  case tsync::Scope::device:
    return "device";
  case tsync::Scope::system:
    return "";
  }
  llvm_unreachable("unknown scope");
}

/// Returns PTX's name of the threads in `scope`.
static StringRef getPTXScope(tsync::Scope scope) {
  switch (scope) {
  case tsync::Scope::block:
    return "cta";
  case tsync::Scope::device:
    return "gpu";
  case tsync::Scope::system:
    return "sys";
  }
  llvm_unreachable("unknown scope");
}

namespace {

struct ConvertTSyncToNVVM
    : grout::impl::ConvertTSyncToNVVMBase<ConvertTSyncToNVVM> {
  using Base::Base;

  void runOnOperation() override {
    WalkResult result = getOperation()->walk([&](Operation *op) {
      if (!isa<tsync::WaitOp, tsync::PostOp, tsync::PollAgainOp>(op))
        return WalkResult::advance();
      FailureOr<UnrealizedConversionCastOp> cast = getCast(op);
      if (failed(cast))
        return WalkResult::interrupt();
      if (auto wait = dyn_cast<tsync::WaitOp>(op))
        lowerWait(wait, *cast);
      else if (auto poll = dyn_cast<tsync::PollAgainOp>(op))
        lowerPollAgain(poll, *cast);
      else
        lowerPost(mlir::cast<tsync::PostOp>(op), *cast);
      op->erase();
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      return signalPassFailure();
    for (UnrealizedConversionCastOp cast : casts)
      if (cast->use_empty())
        cast->erase();
    if (debugSyncMilliseconds)
      markLaunches();
  }

private:
  /// Returns the cast that makes the semaphores of `op`. Its operands are the
  /// launch's own state and, if another state has the semaphores, that state.
  FailureOr<UnrealizedConversionCastOp> getCast(Operation *op) {
    auto cast = op->getOperand(0).getDefiningOp<UnrealizedConversionCastOp>();
    if (!cast || cast->getNumOperands() == 0 || cast->getNumOperands() > 2 ||
        !llvm::all_of(cast->getOperandTypes(),
                      llvm::IsaPred<LLVM::LLVMPointerType>))
      return op->emitOpError("needs semaphores that are cast from a pointer to "
                             "the synchronisation state");
    casts.insert(cast);
    return cast;
  }

  /// Returns the pointer to the launch's synchronisation state.
  static Value getState(UnrealizedConversionCastOp cast) {
    return cast.getInputs().front();
  }

  /// Returns the pointer to the synchronisation state that has the semaphores.
  static Value getSemaphores(UnrealizedConversionCastOp cast) {
    return cast.getInputs().back();
  }

  /// Returns the address of semaphore `index`.
  static Value getSemaphore(ImplicitLocOpBuilder &b,
                            UnrealizedConversionCastOp cast, Value index) {
    Value first =
        emitStateWord(b, getSemaphores(cast), kernelabi::kFirstSemaphoreWord);
    auto sector =
        LLVM::LLVMArrayType::get(b.getI32Type(), kernelabi::kWordsPerSemaphore);
    return LLVM::GEPOp::create(b, first.getType(), sector, first,
                               ArrayRef<LLVM::GEPArg>{index});
  }

  /// Returns the epoch of this launch, plus one. The kernel loads it once, at
  /// the cast that makes the semaphores. By then, the launch of the run before
  /// has ended, and the last block of this launch cannot have changed the epoch
  /// yet. In mode `overlap`, the kernel has not waited for anything at that
  /// point. So no cache that may still have the epoch of the run before may
  /// serve the load.
  Value getNextEpoch(Location loc, UnrealizedConversionCastOp cast) {
    Value &next = nextEpochs[cast];
    if (next)
      return next;
    ImplicitLocOpBuilder b(loc, &getContext());
    b.setInsertionPointAfter(cast);
    Value epoch = LLVM::LoadOp::create(
        b, b.getI32Type(),
        emitStateWord(b, getState(cast), kernelabi::kEpochWord),
        /*alignment=*/4, /*isVolatile=*/false, /*isNonTemporal=*/false,
        /*isInvariant=*/false, /*isInvariantGroup=*/false,
        LLVM::AtomicOrdering::monotonic, getSyncScope(tsync::Scope::device));
    Value one = arith::ConstantIntOp::create(b, b.getI32Type(), 1);
    next = arith::AddIOp::create(b, epoch, one);
    return next;
  }

  /// Sets `debug_sync_milliseconds` of every launch of a kernel whose waits
  /// give up.
  void markLaunches() {
    if (watched.empty())
      getOperation()->emitRemark()
          << "debug-sync-milliseconds has no effect: no kernel waits for a "
             "semaphore or for another rank";
    getOperation()->walk([&](launch::KernelOp kernel) {
      Operation *root =
          kernel->getParentOfType<launch::PlanOp>()->getParentOp();
      for (auto entry : kernel.getEntries().getAsRange<FlatSymbolRefAttr>()) {
        auto symbol = SymbolRefAttr::get(kernel.getModuleAttr().getAttr(),
                                         ArrayRef<FlatSymbolRefAttr>(entry));
        if (watched.contains(SymbolTable::lookupSymbolIn(root, symbol)))
          kernel.setDebugSyncMilliseconds(debugSyncMilliseconds);
      }
    });
  }

  /// Returns a wait of the function of `op` whose record gets `fields`.
  WatchedWait getWatched(ImplicitLocOpBuilder &b, Operation *op,
                         UnrealizedConversionCastOp cast,
                         ArrayRef<WatchedWait::Field> fields) {
    watched.insert(op->getParentOfType<FunctionOpInterface>());
    return {emitStateWord(b, getState(cast), kernelabi::kRecordWord),
            llvm::to_vector(fields), debugSyncMilliseconds};
  }

  /// Returns the wait of `op` in the epoch before `next`, which has seen the
  /// value `seen` of the counter.
  WatchedWait getWatched(ImplicitLocOpBuilder &b, tsync::WaitOp op,
                         UnrealizedConversionCastOp cast, Value next,
                         Value target, Value seen) {
    using Record = kernelabi::WatchdogRecord;
    auto getI32 = [&](uint32_t value) -> Value {
      return arith::ConstantIntOp::create(b, b.getI32Type(),
                                          static_cast<int32_t>(value));
    };
    SmallVector<WatchedWait::Field> fields = {
        {offsetof(Record, semaphore), op.getIndex()},
        {offsetof(Record, target), target},
        {offsetof(Record, seen), seen},
        {offsetof(Record, count), op.getCount()},
        {offsetof(Record, epoch), arith::SubIOp::create(b, next, getI32(1))}};
    SmallVector<Value> task(op.getTask());
    if (task.empty())
      task.push_back(getI32(kernelabi::kNoBody));
    for (auto [index, word] : llvm::enumerate(task))
      fields.push_back(
          {offsetof(Record, body) + index * kernelabi::kWordBytes, word});
    return getWatched(b, op, cast, fields);
  }

  /// Without a watchdog, a thread polls again while data is missing.
  void lowerPollAgain(tsync::PollAgainOp op, UnrealizedConversionCastOp cast) {
    Value again = op.getIsMissing();
    if (debugSyncMilliseconds) {
      ImplicitLocOpBuilder b(op.getLoc(), op->getParentOfType<scf::WhileOp>());
      Value start = emitTime(b);
      b.setInsertionPoint(op);
      Value one = arith::ConstantIntOp::create(b, b.getI32Type(), 1);
      Value afterRank = arith::AddIOp::create(b, op.getRank(), one);
      again = emitKeepsWaiting(
          b,
          getWatched(
              b, op, cast,
              {{offsetof(kernelabi::WatchdogRecord, afterRank), afterRank}}),
          start, again);
    }
    op.getAgain().replaceAllUsesWith(again);
  }

  void lowerWait(tsync::WaitOp op, UnrealizedConversionCastOp cast) {
    Value next = getNextEpoch(op.getLoc(), cast);
    ImplicitLocOpBuilder b(op.getLoc(), op);
    Value address = getSemaphore(b, cast, op.getIndex());
    Value target = arith::MulIOp::create(b, next, op.getCount());

    Value start;
    if (debugSyncMilliseconds)
      start = emitTime(b);
    auto keepsWaiting = [&]() -> Value {
      Value counter = LLVM::LoadOp::create(
          b, b.getI32Type(), address, /*alignment=*/4, /*isVolatile=*/false,
          /*isNonTemporal=*/false, /*isInvariant=*/false,
          /*isInvariantGroup=*/false, LLVM::AtomicOrdering::acquire,
          getSyncScope(op.getScope()));
      // Counters wrap around, so we compare their difference with 0.
      Value difference = arith::SubIOp::create(b, counter, target);
      Value zero = arith::ConstantIntOp::create(b, b.getI32Type(), 0);
      Value isShort =
          arith::CmpIOp::create(b, arith::CmpIPredicate::slt, difference, zero);
      if (!debugSyncMilliseconds)
        return isShort;
      return emitKeepsWaiting(b, getWatched(b, op, cast, next, target, counter),
                              start, isShort);
    };
    auto loop = scf::WhileOp::create(b, TypeRange(), ValueRange());
    b.createBlock(&loop.getBefore());
    Value condition = keepsWaiting();
    scf::ConditionOp::create(b, condition, ValueRange());
    b.createBlock(&loop.getAfter());
    NVVM::NanosleepOp::create(b, arith::ConstantIntOp::create(
                                     b, b.getI32Type(), kPollPauseNanoseconds));
    scf::YieldOp::create(b);

    b.setInsertionPointAfter(loop);
    if (op.getProxy() == tsync::Proxy::async)
      NVVM::FenceProxyOp::create(b, NVVM::ProxyKind::async_global,
                                 NVVM::SharedSpaceAttr());
  }

  void lowerPost(tsync::PostOp op, UnrealizedConversionCastOp cast) {
    ImplicitLocOpBuilder b(op.getLoc(), op);
    Value address = getSemaphore(b, cast, op.getIndex());
    Value one = arith::ConstantIntOp::create(b, b.getI32Type(), 1);
    std::string code = ("red.release." + getPTXScope(op.getScope()) +
                        ".global.add.u32 [$0], $1;")
                           .str();
    // The clobber keeps LLVM from moving memory accesses across the post.
    LLVM::InlineAsmOp::create(
        b, /*res=*/Type(), ValueRange{address, one}, code, "l,r,~{memory}",
        /*has_side_effects=*/true, /*is_align_stack=*/false,
        LLVM::tailcallkind::TailCallKind::None,
        LLVM::AsmDialectAttr::get(b.getContext(), LLVM::AsmDialect::AD_ATT),
        /*operand_attrs=*/ArrayAttr());
  }

  DenseMap<Operation *, Value> nextEpochs;
  llvm::SmallSetVector<UnrealizedConversionCastOp, 4> casts;
  /// Functions with waits that give up.
  llvm::SmallPtrSet<Operation *, 4> watched;
};

} // namespace
